package io.tidemark.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.RevisionAtRequest;
import io.tidemark.view.request.RevisionAtTime;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pages of changes whose replica never gets to the revision that the request waited for. */
class LaggingReplicaHttpTest {
    private static final class Lagging extends ReadyPartition {
        private final AtomicInteger reads = new AtomicInteger();

        @Override
        protected ReadOutcome<?> answer(ReadRequest<?> request) {
            return switch (request) {
                case ChangesRequest _ -> {
                    reads.incrementAndGet();
                    yield new ReadOutcome.Served<>(new ChangePage(List.of(), REVISION - 1));
                }
                case RevisionAtRequest _ ->
                        new ReadOutcome.Served<>(
                                new RevisionAtTime(OptionalLong.of(REVISION), true, 1));
                default -> super.answer(request);
            };
        }
    }

    private final Lagging partition = new Lagging();
    private final QueryNode node = partition.node();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void endsAPageOfChangesAfterItsTimeWithoutABusyLoop() throws Exception {
        node.start();
        try (HttpClientForTests client = new HttpClientForTests(node.url())) {
            Answer newest = client.get("/changes?resource=pods&from=100");
            assertThat(newest.status()).as(newest.text()).isEqualTo(504);
            Answer oldest = client.get("/changes?resource=pods&from=100&order=oldest");
            assertThat(oldest.continueToken()).isNotEmpty();
            assertThat(partition.reads.get()).isLessThan(1_000);
        }
    }

    @Test
    void watchesWithoutABusyLoop() throws Exception {
        node.start();
        try (HttpClientForTests client = new HttpClientForTests(node.url());
                Watch watch =
                        client.watch(
                                "/api/v1/pods?watch=true&resourceVersion=101&timeoutSeconds=1")) {
            assertThat(watch.status()).isEqualTo(200);
            assertThat(watch.rest()).isEmpty();
            assertThat(partition.reads.get()).isPositive().isLessThan(1_000);
        }
    }
}
