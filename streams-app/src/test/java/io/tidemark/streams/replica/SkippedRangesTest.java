package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reading.CorruptRange;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SkippedRangesTest {
    private final SkippedRanges passed = new SkippedRanges();

    private void corrupt(int partition, long from, long toExclusive) {
        passed.accept(
                new CorruptRange(new TopicPartition("t", partition), from, toExclusive, "corrupt"));
    }

    @Test
    void reportsARangeBetweenTwoRecords() {
        corrupt(1, 10, 20);
        assertThat(passed.isBetween(1, 9, 20)).isTrue();
        assertThat(passed.isBetween(1, 4, 30)).isTrue();
        assertThat(passed.isBetween(1, 15, 20)).isTrue();
        assertThat(passed.isBetween(0, 9, 20)).isFalse();
    }

    @Test
    void ignoresARangeAboveTheNextRecord() {
        corrupt(1, 10, 20);
        assertThat(passed.isBetween(1, 4, 9)).isFalse();
    }

    @Test
    void ignoresARangeThatWasApplied() {
        corrupt(1, 10, 20);
        assertThat(passed.isBetween(1, 19, 20)).isFalse();
        assertThat(passed.isBetween(1, 25, 12)).isFalse();
        assertThat(passed.isBetween(1, 25, 26)).isFalse();
    }

    @Test
    void countsARangeOnce() {
        corrupt(1, 10, 20);
        corrupt(1, 12, 20);
        corrupt(2, 10, 20);
        assertThat(passed.count()).isEqualTo(2);
    }
}
