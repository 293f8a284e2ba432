package io.tidemark.store.fold;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.store.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BrokerClockTest {
    private static final Duration LAG = Duration.ofMinutes(100);

    private final ManualClock clock = new ManualClock(Instant.ofEpochSecond(1_700_000_000));

    @Test
    void trustsAClockAgainAfterItWasCorrected() {
        BrokerClock broker = new BrokerClock(clock, 1_000);
        long now = clock.millis();
        broker.observeEnd(5, now + LAG.toMillis());
        broker.observeRecord(4, now);
        assertThat(broker.millis(0)).isEqualTo(now);
        clock.advance(LAG);
        broker.observeEnd(5, clock.millis());
        broker.observeRecord(5, now);
        assertThat(broker.millis(now)).isEqualTo(now + 1_000);
        assertThat(broker.millis(now + LAG.toMillis())).isEqualTo(now + LAG.toMillis());
        assertThat(broker.millis(now)).isEqualTo(now + LAG.toMillis());
    }
}
