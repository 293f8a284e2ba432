package io.tidemark.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.record.Bytes;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import io.tidemark.view.request.ScanPage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads that find nothing and whose client disconnects or pipelines a request meanwhile. */
class ClientDisconnectedHttpTest {
    private static final int AT_PAGE = 3;

    /** An endless range without matching objects. */
    private static final class Endless extends LonePartition {
        private final AtomicInteger pages = new AtomicInteger();
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private volatile boolean ends;

        @Override
        public PartitionState state() {
            return new PartitionState(true, 1, 1, 1, 100, 100, 0, 0, 0, "http://connector");
        }

        @Override
        protected ReadOutcome<ScanPage> answer(ReadRequest<?> request) {
            if (pages.incrementAndGet() == AT_PAGE) {
                reached.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }
            Bytes next = Bytes.utf8("/registry/pods/%09d".formatted(pages.get()));
            return new ReadOutcome.Served<>(
                    new ScanPage(List.of(), ends ? Optional.empty() : Optional.of(next)));
        }
    }

    private final Endless partition = new Endless();

    private QueryNode start() {
        QueryNode node =
                new QueryNode(
                        QueryConfig.listeningOn("127.0.0.1", 0),
                        partition,
                        _ -> new Barrier(1, 100),
                        () -> FixedCatalog.of(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX)));
        node.start();
        return node;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/pods?resourceVersion=0&fieldSelector=.spec.x%3D1",
                "/api/v1/pods?limit=5&fieldSelector=.spec.x%3D1",
                "/api/v1/pods?watch=1&fieldSelector=.spec.x%3D1"
            })
    void stopsTheReadOfADisconnectedClient(String path) throws Exception {
        try (QueryNode node = start();
                HttpClientForTests client = new HttpClientForTests(node.url())) {
            try (RawHttp connection = RawHttp.connect(node.url())) {
                connection.get(path);
                assertThat(partition.reached.await(3, TimeUnit.MINUTES)).isTrue();
            }
            partition.goOn.countDown();
            await().until(() -> client.get("/metrics").text().contains("code=\"499\""));
            assertThat(partition.pages.get()).isLessThanOrEqualTo(AT_PAGE + 1);
        }
    }

    @Test
    void servesAPipelinedRequestAfterALongRead() throws Exception {
        try (QueryNode node = start();
                RawHttp connection = RawHttp.connect(node.url())) {
            connection.get("/api/v1/pods?resourceVersion=0&fieldSelector=.spec.x%3D1");
            assertThat(partition.reached.await(3, TimeUnit.MINUTES)).isTrue();
            connection.get("/healthz?first");
            connection.get("/livez?second");
            partition.ends = true;
            partition.goOn.countDown();
            assertThat(connection.response().text())
                    .startsWith("HTTP/1.1 200")
                    .contains("\"kind\":\"PodList\"");
            for (int i = 0; i < 2; i++) {
                assertThat(connection.response().text()).startsWith("HTTP/1.1 200");
            }
        }
    }
}
