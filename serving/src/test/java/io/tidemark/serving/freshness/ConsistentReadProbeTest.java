package io.tidemark.serving.freshness;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConsistentReadProbeTest {
    private static final PartitionSet ALL = new PartitionSet(0, 2);

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private final WatermarkTracker watermarks = new WatermarkTracker(cluster);
    private final Freshness freshness =
            new Freshness(
                    watermarks,
                    new Barriers(cluster, () -> "http://connector"),
                    Duration.ofSeconds(30),
                    _ -> {});
    private final AtomicBoolean refused = new AtomicBoolean();
    private final AtomicLong nanos = new AtomicLong(1_000_000_000);

    @AfterEach
    void stop() {
        watermarks.close();
    }

    private ConsistentReadProbe probe(Duration every) {
        return new ConsistentReadProbe(freshness, this::partitions, every, nanos::get);
    }

    private PartitionSet partitions() {
        if (refused.get()) {
            throw StatusErrors.tooManyRequests("not listed yet");
        }
        return ALL;
    }

    @Test
    void reportsTheAgeOfTheLastSuccess() throws Exception {
        ConsistentReadProbe probe = probe(Duration.ZERO);
        assertThat(probe.good()).isTrue();
        assertThat(probe.text()).isEqualTo("not tried yet");
        nanos.addAndGet(2_000_000_000);
        assertThat(probe.ageSeconds()).as("since the start").isEqualTo(2.0);
        probe.probe();
        nanos.addAndGet(1_500_000_000);
        assertThat(probe.good()).isTrue();
        assertThat(probe.text()).isEqualTo("last answered 1.5 s ago");
        assertThat(probe.ageSeconds()).isEqualTo(1.5);
        assertThat(probe.failures()).isZero();
    }

    @Test
    void reportsWhySinceWhenReadsFail() throws Exception {
        ConsistentReadProbe probe = probe(Duration.ZERO);
        probe.probe();
        refused.set(true);
        nanos.addAndGet(3_000_000_000L);
        probe.probe();
        assertThat(probe.good()).isFalse();
        assertThat(probe.failures()).isEqualTo(1);
        assertThat(probe.text()).isEqualTo("no answer for 3.0 s: not listed yet");
        refused.set(false);
        probe.probe();
        assertThat(probe.good()).isTrue();
        assertThat(probe.text()).isEqualTo("last answered 0.0 s ago");
    }

    @Test
    void survivesABug() throws Exception {
        ConsistentReadProbe probe =
                new ConsistentReadProbe(
                        freshness,
                        () -> {
                            throw new IllegalStateException("a bug");
                        },
                        Duration.ZERO,
                        nanos::get);
        nanos.addAndGet(2_000_000_000);
        probe.probe();
        assertThat(probe.good()).isFalse();
        assertThat(probe.failures()).isEqualTo(1);
        assertThat(probe.text()).contains("no answer for 2.0 s", "a bug");
    }

    @Test
    void probesAgainAndAgainOnceStarted() {
        try (ConsistentReadProbe probe = probe(Duration.ofMillis(1))) {
            probe.start();
            Awaitility.await().until(() -> cluster.barriersTaken() > 2);
        }
    }
}
