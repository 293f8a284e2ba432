package io.tidemark.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.reading.CorruptRange;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SkippedRangesTest {
    private final SkippedRanges passed = new SkippedRanges();

    private void damage(int partition, long from, long toExclusive) {
        passed.accept(
                new CorruptRange(new TopicPartition("t", partition), from, toExclusive, "damaged"));
    }

    @Test
    void whatLiesBetweenTwoRecordsIsMissing() {
        damage(1, 10, 20);
        assertThat(passed.isBetween(1, 9, 20)).isTrue();
        assertThat(passed.isBetween(1, 4, 30)).isTrue();
        assertThat(passed.isBetween(1, 15, 20)).isTrue();
        assertThat(passed.isBetween(0, 9, 20)).isFalse();
    }

    @Test
    void recordsBeforeTheDamageAreStillGood() {
        damage(1, 10, 20);
        assertThat(passed.isBetween(1, 4, 9)).isFalse();
    }

    @Test
    void whoHasAppliedWhatLiesThereMissesNothing() {
        damage(1, 10, 20);
        assertThat(passed.isBetween(1, 19, 20)).isFalse();
        assertThat(passed.isBetween(1, 25, 12)).isFalse();
        assertThat(passed.isBetween(1, 25, 26)).isFalse();
    }

    @Test
    void aPlaceIsCountedOnce() {
        damage(1, 10, 20);
        damage(1, 12, 20);
        damage(2, 10, 20);
        assertThat(passed.count()).isEqualTo(2);
    }
}
