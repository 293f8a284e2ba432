package io.tidemark.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockStepDetectorTest {
    private long wallMillis = 1_000_000;
    private long nanos = 42;

    /** How long this thread is held up each time that it looks at the wall clock. */
    private long heldMillis;

    private final ClockStepDetector steps = new ClockStepDetector(this::wall, () -> nanos);

    private Instant wall() {
        pass(heldMillis);
        return Instant.ofEpochMilli(wallMillis);
    }

    private void pass(long millis) {
        wallMillis += millis;
        nanos += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void timeThatPassesIsNoStep() {
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
    void aStepForwardIsNone_andTheWayBackFromItIsOne() {
        wallMillis += 2_583_000;
        assertThat(steps.setBack()).isZero();
        pass(200);
        wallMillis -= 2_583_000;
        assertThat(steps.setBack()).isEqualTo(Duration.ofSeconds(2_583));
    }

    /** As when a clock that is wrong is slowly set right. */
    @Test
    void manySmallStepsAreNone() {
        for (int i = 0; i < 1_000; i++) {
            pass(200);
            wallMillis -= 1_000;
            assertThat(steps.setBack()).isZero();
        }
    }

    @Test
    void whoIsHeldUpWhileLookingSeesNoStep() {
        heldMillis = 30_000;
        assertThat(steps.setBack()).isZero();
        heldMillis = 0;
        assertThat(steps.setBack()).isZero();
        wallMillis -= 30_000;
        assertThat(steps.setBack()).isEqualTo(Duration.ofSeconds(30));
    }
}
