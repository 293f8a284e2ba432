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

    @Test
    void isAheadOnlyByWhatExceedsTheMargin() {
        BrokerClock broker = new BrokerClock(clock, 1_000);
        long now = clock.millis();
        broker.observeEnd(5, now);
        broker.observeRecord(5, now - 1_000);
        assertThat(broker.millis(0)).isEqualTo(now);
        broker.observeEnd(6, now);
        broker.observeRecord(6, now - 1_001);
        assertThat(broker.millis(0)).isEqualTo(now - 1);
    }

    @Test
    void learnsOnlyFromTheFirstRecordAfterTheEnd() {
        BrokerClock broker = new BrokerClock(clock, 1_000);
        long now = clock.millis();
        broker.observeEnd(5, now);
        broker.observeRecord(7, now - 4_000);
        broker.observeRecord(8, now);
        assertThat(broker.millis(0)).isEqualTo(now - 3_000);
    }

    @Test
    void isNeverBeforeTheNewestRecord() {
        BrokerClock broker = new BrokerClock(clock, 1_000);
        long now = clock.millis();
        broker.observeEnd(5, now);
        broker.observeRecord(5, now - 4_000);
        // As far ahead of this clock as two correct clocks may differ.
        assertThat(broker.millis(now - 2_000)).isEqualTo(now - 2_000);
        assertThat(broker.millis(0)).isEqualTo(now - 3_000);
        assertThat(broker.millis(now - 1_999)).as("the clock was corrected").isEqualTo(now);
        assertThat(broker.millis(0)).isEqualTo(now);
    }
}
