package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of "now" are answered although etcd is never written to, from the first start on. */
@LongTest
class IdleEtcdIT {
    private static final String PATH = "/api/v1/namespaces/ns-1/configmaps";

    @TempDir private Path folder;

    @Test
    void consistentReadsWorkAfterARestartWithoutWrites() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            etcd.putConfigMaps(20, "first");
            Path data = folder.resolve("data");
            for (int start = 1; start <= 3; start++) {
                try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                    Api api = tidemark.api();
                    Awaitility.await().until(() -> api.get(PATH).status() == 200);
                    assertThat(api.list(PATH).path("items")).hasSize(2);
                    Awaitility.await()
                            .until(() ->
                                    api.get("/readyz?verbose")
                                            .body()
                                            .contains("[+]reads-of-now last answered "));
                    assertThat(tidemark.log()).doesNotContain("silent");
                }
            }
        }
    }
}
