package io.tidemark.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** GETs whose state leaves the history between its choice and the read. */
class ExpiredReadHttpTest {
    private static final String POD = "/api/v1/namespaces/a/pods/one";

    private static final class Expiring extends ReadyPartition {
        private final AtomicInteger left = new AtomicInteger();

        @Override
        protected ReadOutcome<?> answer(ReadRequest<?> request) {
            if (!(request instanceof GetRequest)) {
                return super.answer(request);
            }
            return left.getAndDecrement() > 0
                    ? new ReadOutcome.Expired<>(REVISION + 1)
                    : new ReadOutcome.Served<>(Optional.empty());
        }
    }

    private final Expiring partition = new Expiring();
    private final QueryNode node = partition.node();

    @AfterEach
    void stop() {
        node.close();
    }

    private int statusAfter(int expired, String parameters) throws Exception {
        partition.left.set(expired);
        try (HttpClientForTests client = new HttpClientForTests(node.url())) {
            return client.get(POD + parameters).status();
        }
    }

    @Test
    void aReadOfNoExactRevisionBeginsAgain() throws Exception {
        node.start();
        assertThat(statusAfter(0, "")).isEqualTo(404);
        assertThat(statusAfter(2, "")).isEqualTo(404);
        assertThat(statusAfter(2, "?resourceVersion=0")).isEqualTo(404);
        assertThat(statusAfter(2, "?resourceVersion=101")).isEqualTo(404);
        assertThat(statusAfter(3, "")).isEqualTo(410);
        assertThat(statusAfter(1, "?resourceVersion=101&resourceVersionMatch=Exact"))
                .isEqualTo(410);
    }
}
