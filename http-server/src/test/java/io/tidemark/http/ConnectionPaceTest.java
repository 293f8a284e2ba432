package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionPaceTest {
    private static final long SECOND = 1_000_000_000L;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - SECOND); // It wraps around.
    private final ConnectionPace pace = new ConnectionPace(10, 5, now::get);

    @Test
    void delaysConnectionsBeyondTheBurst() {
        for (int i = 0; i < 5; i++) {
            assertThat(pace.waitOf("a")).hasValue(0);
        }
        assertThat(pace.waitOf("a")).hasValue(SECOND / 10);
        assertThat(pace.waitOf("a")).hasValue(2 * SECOND / 10);
    }

    @Test
    void keepsClientsApart() {
        for (int i = 0; i < 50; i++) {
            pace.waitOf("a");
        }
        assertThat(pace.waitOf("b")).hasValue(0);
    }

    @Test
    void refusesADelayAboveTheBound() {
        int opened = 0;
        while (pace.waitOf("a").isPresent()) {
            opened++;
        }
        assertThat(opened).isEqualTo(5 + 10 * 10);
        now.addAndGet(SECOND / 10);
        assertThat(pace.waitOf("a")).hasValue(ConnectionPace.LONGEST_WAIT_NANOS);
        assertThat(pace.waitOf("a")).isEmpty();
    }

    @Test
    void restoresTheBurstAfterAPause() {
        for (int i = 0; i < 20; i++) {
            pace.waitOf("a");
        }
        now.addAndGet(2 * SECOND);
        for (int i = 0; i < 5; i++) {
            assertThat(pace.waitOf("a")).hasValue(0);
        }
        assertThat(pace.waitOf("a").getAsLong()).isPositive();
    }

    @Test
    void dropsClientsWithAFullBurst() {
        for (int i = 0; i < 100_000; i++) {
            pace.waitOf(i);
            now.addAndGet(SECOND / 1_000);
        }
        assertThat(pace.clients()).isLessThan(5_000);
    }
}
