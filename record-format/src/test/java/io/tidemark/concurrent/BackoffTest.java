package io.tidemark.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Backoff pauses = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2));

    @Test
    void doublesUpToTheBound() {
        long[] millis = {100, 200, 400, 800, 1_600, 2_000, 2_000};
        for (int failures = 1; failures <= millis.length; failures++) {
            assertThat(pauses.after(failures)).isEqualTo(Duration.ofMillis(millis[failures - 1]));
        }
    }

    @Test
    void staysWithinTheBoundsForAnyNumberOfFailures() {
        Backoff widest = new Backoff(Duration.ofNanos(1), Duration.ofNanos(Long.MAX_VALUE));
        for (int failures : new int[] {1, 2, 31, 32, 33, 62, 63, 64, 65, Integer.MAX_VALUE}) {
            for (Backoff each : new Backoff[] {pauses, widest}) {
                assertThat(each.after(failures)).isBetween(each.first(), each.longest());
                assertThat(each.after(failures, 0.5)).isLessThanOrEqualTo(each.after(failures));
            }
        }
        assertThat(widest.after(63)).isEqualTo(Duration.ofNanos(1L << 62));
    }

    @Test
    void shortensThePauseByUpToHalf() {
        assertThat(pauses.after(3, 0)).isEqualTo(Duration.ofMillis(200));
        assertThat(pauses.after(3, 0.5)).isEqualTo(Duration.ofMillis(300));
        assertThat(pauses.after(3, 1)).isEqualTo(Duration.ofMillis(400));
    }

    @Test
    void refusesBoundsThatContradictEachOther() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second.plusNanos(1), second))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new Backoff(second, second).after(9)).isEqualTo(second);
    }
}
