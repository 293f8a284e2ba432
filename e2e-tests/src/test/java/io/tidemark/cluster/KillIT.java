package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Load;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.waits.LongTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of the whole JVM, including the broker, at random moments under load. {@code
 * -Dtidemark.kills=20} for a longer run; {@code -Dtidemark.seed} to repeat one.
 */
@LongTest
class KillIT {
    private static final int KILLS = Integer.getInteger("tidemark.kills", 3);
    private static final long SEED = Long.getLong("tidemark.seed", System.nanoTime());

    @TempDir private Path folder;

    @Test
    void afterEveryKillTheStateEqualsEtcds() throws Exception {
        SplittableRandom random = new SplittableRandom(SEED);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"))) {
            etcd.putConfigMaps(1_000, "first");
            Path data = folder.resolve("data");
            for (int kill = 1; kill <= KILLS; kill++) {
                try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                    assertEqualToEtcd(tidemark, etcd, kill);
                    try (Load load = Load.on(etcd.client())) {
                        long enough = random.nextLong(1, 1_500);
                        Awaitility.await()
                                .pollInterval(Duration.ofMillis(1))
                                .until(() -> load.writes() >= enough);
                        tidemark.kill();
                    }
                }
            }
            try (TidemarkProcess tidemark = TidemarkProcess.up(data, etcd.endpoint())) {
                assertEqualToEtcd(tidemark, etcd, KILLS + 1);
            }
        }
    }

    private static void assertEqualToEtcd(TidemarkProcess tidemark, TestEtcd etcd, int start)
            throws Exception {
        assertThat(tidemark.api().keys("registry/"))
                .as("start %d of seed %d", start, SEED)
                .isEqualTo(etcd.keys("/registry/"));
    }
}
