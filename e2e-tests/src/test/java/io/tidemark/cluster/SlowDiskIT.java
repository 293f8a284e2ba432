package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.chaos.process.ManagedProcess;
import io.tidemark.chaos.process.ProcessSpec;
import io.tidemark.chaos.process.SlowDisk;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.local.Ports;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real node on a slow disk: only what needs the disk waits. */
@LongTest
class SlowDiskIT {
    private static final Duration SOON = Duration.ofMinutes(3);

    /** Shorter than one access to the slow disk. */
    private static final Duration ANSWER = Duration.ofSeconds(30);

    private static final Duration ACCESS = Duration.ofSeconds(45);
    private static final RawHttp.Options PATIENT = RawHttp.Options.DEFAULT.withSilence(SOON);
    private static final int LISTS = 32 * Runtime.getRuntime().availableProcessors();

    @TempDir private Path folder;

    @Test
    void healthAnswersWhileListsWaitForTheDisk() throws Exception {
        Optional<Path> library = SlowDisk.compile(folder.resolve("native"));
        Assumptions.assumeTrue(library.isPresent(), "needs gcc on the PATH, to slow a disk down");
        Path data = folder.resolve("data");
        List<RawHttp> lists = new ArrayList<>();
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            etcd.putConfigMaps(3_000, "x".repeat(2_000));
            try (TidemarkProcess filling = TidemarkProcess.up(data, etcd.endpoint())) {
                assertThat(filling.stop()).isZero(); // What it holds is on disk now.
            }
            SlowDisk disk =
                    SlowDisk.of(library.get(), data.resolve("state"), folder.resolve("control"));
            int port = Ports.pickFree("127.0.0.1");
            ManagedProcess node = new ManagedProcess(up(data, etcd.endpoint(), port, disk));
            node.start();
            String url = "http://127.0.0.1:" + port;
            try (TestHttpClient http = new TestHttpClient(url)) {
                node.awaitReady(SOON);
                disk.slowDown(ACCESS);
                for (int i = 0; i < LISTS; i++) {
                    lists.add(RawHttp.connect(url, PATIENT));
                    lists.getLast().get(list("ns-" + i % 10));
                }

                for (int i = 0; i < 5; i++) {
                    assertThat(get(http, "/livez", ANSWER)).isEqualTo(200);
                    assertThat(get(http, "/readyz", ANSWER)).isEqualTo(200);
                }
                for (RawHttp each : lists) {
                    assertThat(each.response().status()).isEqualTo(503);
                }
                disk.slowDown(Duration.ZERO);
                await().until(() -> get(http, list("ns-1"), SOON) == 200);
            } finally {
                for (RawHttp each : lists) {
                    each.close();
                }
                node.kill();
            }
        }
    }

    private static String list(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/configmaps?resourceVersion=0";
    }

    private static int get(TestHttpClient http, String path, Duration timeout) throws Exception {
        return http.send(http.request(path).timeout(timeout)).status();
    }

    private static ProcessSpec up(Path data, String etcd, int port, SlowDisk disk) {
        return new ProcessSpec(
                "up",
                data,
                TidemarkJvm.tidemark(
                        List.of("-Xmx1g"),
                        List.of(
                                "up",
                                "--data",
                                data.toString(),
                                "--etcd",
                                etcd,
                                "--listen",
                                "127.0.0.1:" + port)),
                disk.environment(),
                "\nready ");
    }
}
