package io.tidemark.waits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BoundedWaitsTest {
    /** Awaitility's default is 10 s, too little on a machine whose cores are all busy. */
    @Test
    void aTestWaitsForMinutesWithoutSayingSo() {
        AtomicLong left = new AtomicLong();
        await().conditionEvaluationListener(evaluated -> left.set(evaluated.getRemainingTimeInMS()))
                .until(() -> true);
        assertThat(Duration.ofMillis(left.get())).isGreaterThan(Duration.ofMinutes(2));
    }

    @Test
    void aThreadThatDiesDoesNotEndAWait() {
        Thread dying =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            throw new IllegalStateException("a thread that dies, for a test");
                        });
        AtomicBoolean started = new AtomicBoolean();
        await().until(() -> {
            if (started.compareAndSet(false, true)) {
                dying.start();
                dying.join();
                return false;
            }
            return true;
        });
        assertThat(dying.isAlive()).isFalse();
    }
}
