package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.record.Bytes;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two connectors and three nodes, started as the chart starts them, under load: each in turn is
 * killed or replaced. A client that reconnects sees each change once and in order. A Prometheus
 * scrapes all of it, and fills each panel of the dashboards.
 */
@LongTest
class ChartProcessesIT {

    @TempDir private Path folder;

    /** One change of one ConfigMap. */
    private record Seen(String name, long revision) {}

    @Test
    void survivesTheLossOfEachPodAndAnUpgrade() throws Exception {
        Chart.requireHelm();
        try (ChartPods pods = new ChartPods(folder)) {
            List<ChartPod> all = new ArrayList<>(pods.connectors());
            all.addAll(pods.nodes());
            for (ChartPod each : all) {
                each.start();
            }
            for (ChartPod each : all) {
                awaitReady(each);
            }
            if (PodContainer.isPossible()) {
                for (ChartPod each : all) {
                    assertThat(PodContainer.confines(each.pid())).as(each.name()).isTrue();
                }
            }
            if (!Prometheus.isInstalled()) {
                replace(pods, all);
                return;
            }
            Instant begun = Instant.now();
            try (Prometheus prometheus =
                    new Prometheus(folder.resolve("scraped"), pods.scrapes())) {
                replace(pods, all);
                Awaitility.await("all partitions readable at all nodes")
                        .until(() ->
                                prometheus
                                        .query("min(tidemark_partition_ready) == 1")
                                        .path(0)
                                        .isObject());
                for (Path file : Dashboards.files()) {
                    ObjectNode board =
                            Dashboards.filled(
                                    file, prometheus, begun, Instant.now(), Duration.ofSeconds(2));
                    String name = file.getFileName().toString().replace(".json", "");
                    Dashboards.draw(board, folder, name);
                    assertThat(Dashboards.empty(board)).isEmpty();
                }
            }
        }
    }

    private static void replace(ChartPods pods, List<ChartPod> all) throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        List<Seen> written = new CopyOnWriteArrayList<>();
        pods.etcd()
                .client()
                .put(Bytes.utf8("/registry/pods/a/broken"), Bytes.utf8("k8s\0no object"));
        try (Follower follower = new Follower(pods);
                Readers _ = new Readers(pods)) {
            Thread writer = Thread.ofVirtual().start(() -> write(pods.etcd(), writing, written));
            awaitMore(written, follower, 20);
            boolean kill = true;
            for (ChartPod each : all) {
                if (kill) {
                    each.kill();
                } else {
                    each.terminate();
                }
                kill = !kill;
                awaitMore(written, follower, 20);
                each.start();
                awaitReady(each);
            }
            awaitMore(written, follower, 20);
            writing.set(false);
            writer.join();
            Awaitility.await().until(() -> follower.seen().size() >= written.size());
            assertThat(follower.seen()).isEqualTo(written);
            assertThat(follower.problems()).isEmpty();
        }
    }

    /** Reads of all kinds at all nodes, also such that fail. */
    private static final class Readers implements AutoCloseable {
        private static final String[] PATHS = {
            "/api/v1/configmaps",
            "/api/v1/namespaces/a/configmaps?labelSelector=app%3Dapp-2",
            "/api/v1/namespaces/a/configmaps/map-1",
            "/api/v1/namespaces/a/configmaps/nothing",
            "/api/v1/configmaps?limit=5&resourceVersion=1&resourceVersionMatch=Exact",
            "/api/v1/pods",
            "/api/v1/configmaps?watch=true&resourceVersion=0&sendInitialEvents=true"
                    + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                    + "&timeoutSeconds=2"
        };

        private final AtomicBoolean ended = new AtomicBoolean();
        private final List<Thread> threads = new ArrayList<>();

        Readers(ChartPods pods) {
            for (ChartPod node : pods.nodes()) {
                Api api = new Api(node.url(), pods.client());
                threads.add(Thread.ofVirtual().start(() -> read(api)));
            }
        }

        private void read(Api api) {
            for (int i = 0; !ended.get(); i++) {
                try {
                    api.get(PATHS[i % PATHS.length]);
                    Thread.sleep(50);
                } catch (InterruptedException _) {
                    return;
                } catch (Exception | AssertionError _) {
                    // The node is away.
                }
            }
        }

        @Override
        public void close() throws InterruptedException {
            ended.set(true);
            for (Thread each : threads) {
                each.interrupt();
                each.join();
            }
        }
    }

    private static void write(TestEtcd etcd, AtomicBoolean writing, List<Seen> written) {
        for (int i = 0; writing.get(); i++) {
            String name = "map-" + (i % 50);
            written.add(new Seen(name, etcd.putConfigMap("a", name, "v" + i)));
            try {
                Thread.sleep(20);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private static void awaitReady(ChartPod pod) throws IOException {
        try {
            Awaitility.await(pod.name()).failFast(() -> !pod.isAlive()).until(pod::isReady);
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new AssertionError(pod.name() + " is not ready:\n" + pod.log(), e);
        }
    }

    /** Until the client has seen so many changes that are written from now on. */
    private static void awaitMore(List<Seen> written, Follower follower, int changes) {
        int wanted = written.size() + changes;
        Awaitility.await("changes at a client").until(() -> follower.seen().size() >= wanted);
    }

    /** Watches at one node after the other, each time from where the last one ended. */
    private static final class Follower implements AutoCloseable {
        private final ChartPods pods;
        private final List<Seen> seen = new CopyOnWriteArrayList<>();
        private final List<String> problems = new CopyOnWriteArrayList<>();
        private final AtomicBoolean ended = new AtomicBoolean();
        private final Thread thread;
        private String from;

        Follower(ChartPods pods) throws Exception {
            this.pods = pods;
            from =
                    api(0).list("/api/v1/configmaps")
                            .path("metadata")
                            .path("resourceVersion")
                            .asText();
            thread = Thread.ofVirtual().start(this::run);
        }

        private Api api(int node) {
            return new Api(pods.nodes().get(node).url(), pods.client());
        }

        private void run() {
            for (int i = 0; !ended.get(); i++) {
                try (Api.WatchStream stream =
                        api(i % pods.nodes().size())
                                .watch(
                                        "/api/v1/namespaces/a/configmaps?watch=true"
                                                + "&timeoutSeconds=5&resourceVersion="
                                                + from)) {
                    while (!ended.get()) {
                        take(stream.next());
                    }
                } catch (Exception | AssertionError _) {
                    // The node is away, or the watch has ended.
                }
            }
        }

        private void take(JsonNode event) {
            if (event.path("type").asText().equals("ERROR")) {
                problems.add(event.toString());
                return;
            }
            JsonNode metadata = event.path("object").path("metadata");
            from = metadata.path("resourceVersion").asText();
            seen.add(new Seen(metadata.path("name").asText(), Long.parseLong(from)));
        }

        List<Seen> seen() {
            return seen;
        }

        List<String> problems() {
            return problems;
        }

        @Override
        public void close() throws InterruptedException {
            ended.set(true);
            thread.interrupt();
            thread.join();
        }
    }
}
