package io.tidemark.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ClockStepAlarmTest {
    private static final long LONG_SECONDS = 60;

    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofHours(1));
    private final ClockStepDetector clock =
            new ClockStepDetector(() -> Instant.now().plus(ahead.get()), System::nanoTime);
    private final BlockingQueue<Duration> steps = new ArrayBlockingQueue<>(9);

    @Test
    void callsBackOnABackwardStep() throws Exception {
        try (ClockStepAlarm alarm = new ClockStepAlarm(clock, steps::add)) {
            assertThat(alarm.setBack()).isZero();

            ahead.set(Duration.ZERO);

            Duration back = steps.poll(LONG_SECONDS, TimeUnit.SECONDS);
            assertThat(back).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
            assertThat(alarm.setBack()).isEqualTo(back);
        }
        assertThat(steps).isEmpty();
    }

    @Test
    void doesNotCallBackOnceClosed() {
        ClockStepAlarm alarm = new ClockStepAlarm(clock, steps::add);
        alarm.close();
        ahead.set(Duration.ZERO);
        assertThat(alarm.setBack()).isZero();
        assertThat(steps).isEmpty();
        assertThat(clock.setBack()).as("the closed alarm has not read the clock").isPositive();
    }
}
