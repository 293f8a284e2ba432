package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.chaos.process.ProcessSpec;
import io.tidemark.chaos.process.SlowDisk;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node on a slow disk: only what needs the disk waits. */
class SlowDiskIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Shorter than one access to the slow disk. */
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final Duration ACCESS = Duration.ofSeconds(20);
    private static final int LISTS = 32 * Runtime.getRuntime().availableProcessors();

    @TempDir private Path folder;

    @Test
    void healthAnswersWhileListsWaitForTheDisk() throws Exception {
        Optional<Path> library = SlowDisk.compile(folder.resolve("native"));
        Assumptions.assumeTrue(library.isPresent(), "skipped: a slow disk needs gcc");
        Path data = folder.resolve("data");
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                HttpClient http = HttpClient.newHttpClient()) {
            etcd.putConfigMaps(3_000, "x".repeat(2_000));
            try (TidemarkProcess filling = TidemarkProcess.up(data, etcd.endpoint())) {
                assertThat(filling.stop()).isZero(); // What it holds is on disk now.
            }
            SlowDisk disk =
                    SlowDisk.of(library.get(), data.resolve("state"), folder.resolve("control"));
            int port = Ports.pickFree("127.0.0.1");
            ManagedProcess node = new ManagedProcess(up(data, etcd.endpoint(), port, disk));
            node.start();
            try {
                node.awaitReady(SOON);
                disk.slowDown(ACCESS);
                List<CompletableFuture<Integer>> lists = new ArrayList<>();
                for (int i = 0; i < LISTS; i++) {
                    lists.add(list(http, port, "ns-" + i % 10));
                }

                for (int i = 0; i < 5; i++) {
                    assertThat(get(http, port, "/livez", ANSWER)).isEqualTo(200);
                    assertThat(get(http, port, "/readyz", ANSWER)).isEqualTo(200);
                }
                assertThat(lists.stream().map(CompletableFuture::join)).containsOnly(503);
                disk.slowDown(Duration.ZERO);
                await().atMost(SOON).until(() -> list(http, port, "ns-1").join() == 200);
            } finally {
                node.kill();
            }
        }
    }

    private static CompletableFuture<Integer> list(HttpClient http, int port, String namespace) {
        String path = "/api/v1/namespaces/" + namespace + "/configmaps?resourceVersion=0";
        return http.sendAsync(request(port, path, SOON), BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }

    private static int get(HttpClient http, int port, String path, Duration timeout)
            throws Exception {
        return http.send(request(port, path, timeout), BodyHandlers.discarding()).statusCode();
    }

    private static HttpRequest request(int port, String path, Duration timeout) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(timeout)
                .build();
    }

    private static ProcessSpec up(Path data, String etcd, int port, SlowDisk disk) {
        return new ProcessSpec(
                "up",
                data,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx1g",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.tidemark.standalone.TidemarkCli",
                        "up",
                        "--data",
                        data.toString(),
                        "--etcd",
                        etcd,
                        "--listen",
                        "127.0.0.1:" + port),
                disk.environment(),
                "\nready ");
    }
}
