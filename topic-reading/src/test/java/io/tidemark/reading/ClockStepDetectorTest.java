package io.tidemark.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockStepDetectorTest {
    private long wallMillis = 1_000_000;
    private long nanos = 42;

    /** How long this thread stalls at each read of the wall clock. */
    private long stallMillis;

    private final ClockStepDetector steps = new ClockStepDetector(this::wall, () -> nanos);

    private Instant wall() {
        pass(stallMillis);
        return Instant.ofEpochMilli(wallMillis);
    }

    private void pass(long millis) {
        wallMillis += millis;
        nanos += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void elapsedTimeIsNotAStep() {
        for (long millis : new long[] {0, 1, 100, 60_000, 86_400_000}) {
            pass(millis);
            assertThat(steps.setBack()).isZero();
        }
    }

    @Test
    void reportsABackwardStepOnce() {
        pass(200);
        wallMillis -= 3_600_000;
        assertThat(steps.setBack()).isEqualTo(Duration.ofHours(1));
        pass(200);
        assertThat(steps.setBack()).isZero();
    }

    @Test
    void ignoresAForwardStepButReportsItsReversal() {
        wallMillis += 2_583_000;
        assertThat(steps.setBack()).isZero();
        pass(200);
        wallMillis -= 2_583_000;
        assertThat(steps.setBack()).isEqualTo(Duration.ofSeconds(2_583));
    }

    /** As when a wrong clock is slewed. */
    @Test
    void ignoresManySmallSteps() {
        for (int i = 0; i < 1_000; i++) {
            pass(200);
            wallMillis -= 1_000;
            assertThat(steps.setBack()).isZero();
        }
    }

    @Test
    void ignoresMeasurementsDuringAStall() {
        stallMillis = 30_000;
        assertThat(steps.setBack()).isZero();
        stallMillis = 0;
        assertThat(steps.setBack()).isZero();
        wallMillis -= 30_000;
        assertThat(steps.setBack()).isEqualTo(Duration.ofSeconds(30));
    }
}
