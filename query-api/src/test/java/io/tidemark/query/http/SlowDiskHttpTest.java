package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.StallingEngine;
import io.tidemark.store.read.ReadThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reads that wait for a disk hold no carrier thread, so other requests proceed. */
class SlowDiskHttpTest {
    /** As many carrier threads are there. */
    private static final int CORES = Runtime.getRuntime().availableProcessors();

    private static final int READERS = 16 * CORES;
    private static final String STALLED = "stalled";

    /** Of a read that waits for the disk. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final List<StallingEngine> engines =
            List.of(
                    new StallingEngine(new InMemoryEngine()),
                    new StallingEngine(new InMemoryEngine()));

    @Test
    void servesOtherRequestsWhileReadsWaitForTheDisk() throws Exception {
        try (ReadThreads gate = ReadThreads.start();
                ExecutorService clients = Executors.newFixedThreadPool(READERS);
                QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                MirroredCluster.over(2, engines::get, gate),
                                c -> c.withTimes(c.times().withFreshness(PATIENCE)))) {
            MirroredCluster cluster = fixture.cluster;
            String other = namespaceElsewhere(cluster);
            cluster.pod(STALLED, "a", Map.of());
            String since = Long.toString(cluster.revision());
            StallingEngine disk = engines.get(partitionOf(cluster, STALLED));
            try (Watch watch =
                    fixture.client.watch(
                            "/api/v1/namespaces/%s/pods?watch=1&resourceVersion=%s"
                                    .formatted(other, since))) {
                List<CompletableFuture<Integer>> reads = new ArrayList<>();
                disk.stall(true);
                try {
                    for (int i = 0; i < READERS; i++) {
                        reads.add(CompletableFuture.supplyAsync(() -> status(fixture), clients));
                    }
                    await().until(() -> disk.waiting() >= CORES);

                    assertThat(fixture.client.get("/livez").status()).isEqualTo(200);
                    cluster.pod(other, "b", Map.of());
                    assertThat(watch.next().path("object").path("metadata").path("name").asText())
                            .isEqualTo("b");
                    assertThat(reads.stream().map(CompletableFuture::join)).contains(503);
                } finally {
                    disk.stall(false);
                }
                await().until(() -> status(fixture) == 200);
            }
        }
    }

    private static int status(QueryNodeFixture fixture) {
        try {
            return fixture.client
                    .get("/api/v1/namespaces/" + STALLED + "/pods/a?resourceVersion=0")
                    .status();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int partitionOf(MirroredCluster cluster, String namespace) {
        return cluster.partitionOf("/registry/pods/" + namespace + "/");
    }

    private static String namespaceElsewhere(MirroredCluster cluster) {
        return IntStream.range(0, 100)
                .mapToObj(n -> "ns-" + n)
                .filter(name -> partitionOf(cluster, name) != partitionOf(cluster, STALLED))
                .findFirst()
                .orElseThrow();
    }
}
