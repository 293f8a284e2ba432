package io.tidemark.connector.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.reading.CorruptRange;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** How many epochs corrupt records may hide: as many as the longest last range has records. */
class CorruptRangeTrackerTest {
    private final CorruptRangeTracker tracker =
            new CorruptRangeTracker(new ConnectorMetrics(new SimpleMeterRegistry()));

    @Test
    void countsTheLastRangeOfThePartitionThatLostMost() {
        assertThat(tracker.hiddenEpochs()).isZero();
        lose(0, 10, 40);
        lose(0, 50, 52);
        assertThat(tracker.hiddenEpochs()).as("the records in between show the epoch").isEqualTo(2);
        lose(1, 9, 21);
        assertThat(tracker.hiddenEpochs()).isEqualTo(12);
        tracker.forget();
        assertThat(tracker.hiddenEpochs()).isZero();
    }

    @Test
    void joinsRangesThatTouch() {
        lose(0, 10, 14);
        lose(0, 14, 20);
        assertThat(tracker.hiddenEpochs()).isEqualTo(10);
        lose(0, 16, 20);
        assertThat(tracker.hiddenEpochs()).as("found again from its middle").isEqualTo(10);
        lose(0, 8, 20);
        assertThat(tracker.hiddenEpochs()).isEqualTo(12);
    }

    private void lose(int partition, long from, long toExclusive) {
        tracker.accept(
                new CorruptRange(
                        new TopicPartition("tidemark", partition), from, toExclusive, "corrupt"));
    }
}
