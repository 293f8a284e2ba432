package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
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
 * Two connectors and three nodes, started as the chart starts them, under load: each is killed, and
 * then all are replaced one by one. A client that reconnects sees each change once and in order.
 */
class ChartProcessesIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

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
            AtomicBoolean writing = new AtomicBoolean(true);
            List<Seen> written = new CopyOnWriteArrayList<>();
            try (Follower follower = new Follower(pods)) {
                Thread writer =
                        Thread.ofVirtual().start(() -> write(pods.etcd(), writing, written));
                awaitMore(written, follower, 20);
                for (ChartPod each : all) {
                    each.kill();
                    awaitMore(written, follower, 20);
                    each.start();
                    awaitReady(each);
                }
                for (ChartPod each : all) {
                    each.terminate();
                    each.start();
                    awaitReady(each);
                }
                awaitMore(written, follower, 20);
                writing.set(false);
                writer.join();
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> follower.seen().size() >= written.size());
                assertThat(follower.seen()).isEqualTo(written);
                assertThat(follower.problems()).isEmpty();
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
            Awaitility.await(pod.name())
                    .atMost(PATIENCE)
                    .failFast(() -> !pod.isAlive())
                    .until(pod::isReady);
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new AssertionError(pod.name() + " is not ready:\n" + pod.log(), e);
        }
    }

    /** Until the client has seen so many changes that are written from now on. */
    private static void awaitMore(List<Seen> written, Follower follower, int changes) {
        int wanted = written.size() + changes;
        Awaitility.await("changes at a client")
                .atMost(PATIENCE)
                .until(() -> follower.seen().size() >= wanted);
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
