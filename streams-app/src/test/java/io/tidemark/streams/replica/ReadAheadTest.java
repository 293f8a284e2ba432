package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final TopicPartition PARTITION = new TopicPartition("mirror", 3);

    private final ReadAhead ahead = new ReadAhead();
    private final Recorder store = new Recorder();

    private static final class Recorder implements ReadAhead.Target {
        private final List<Long> applied = new ArrayList<>();
        private final List<Long> appliedThrough = new ArrayList<>();

        @Override
        public void apply(DeliveredRecord each) {
            applied.add(each.offset());
        }

        @Override
        public void appliedThrough(long offset) {
            appliedThrough.add(offset);
        }
    }

    @Test
    void appliesAllRecordsAndGivesStreamsTheLastOffset() {
        ahead.opened(3, store);
        ConsumerRecords<byte[], byte[]> polled = records(5, 6, 9);

        ConsumerRecords<byte[], byte[]> rest = ahead.apply(polled);

        assertThat(store.applied).containsExactly(5L, 6L, 9L);
        assertThat(store.appliedThrough).containsExactly(9L);
        assertThat(rest.nextOffsets()).isEqualTo(polled.nextOffsets());
        assertThat(rest.records(PARTITION))
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.offset()).isEqualTo(9);
                    assertThat(each.key()).isNotNull().isEmpty();
                    assertThat(each.value()).isEmpty();
                });
    }

    /** A transaction's marker, for example. */
    @Test
    void passesOffsetsWithoutRecordsOn() {
        ahead.opened(3, store);
        ahead.apply(new ConsumerRecords<>(Map.of(), Map.of(PARTITION, new OffsetAndMetadata(12))));
        assertThat(store.applied).isEmpty();
        assertThat(store.appliedThrough).containsExactly(11L);
    }

    @Test
    void nothingPolledIsNothingRestored() {
        assertThat(ahead.apply(ConsumerRecords.empty()).isEmpty()).isTrue();
    }

    /** Otherwise the store would lack records that Streams counts as restored. */
    @Test
    void refusesRecordsWithoutAStore() {
        ahead.opened(3, store);
        ahead.closed(3, store);
        assertThatThrownBy(() -> ahead.apply(records(5)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("mirror-3");
    }

    @Test
    void aStoreThatClosesLateDoesNotReplaceItsSuccessor() {
        Recorder former = new Recorder();
        ahead.opened(3, former);
        ahead.opened(3, store);
        ahead.closed(3, former);
        ahead.apply(records(5));
        assertThat(store.applied).containsExactly(5L);
    }

    private static ConsumerRecords<byte[], byte[]> records(long... offsets) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (long offset : offsets) {
            records.add(
                    new ConsumerRecord<>(
                            PARTITION.topic(),
                            PARTITION.partition(),
                            offset,
                            new byte[] {1},
                            new byte[] {2}));
        }
        return new ConsumerRecords<>(
                Map.of(PARTITION, records), Map.of(PARTITION, new OffsetAndMetadata(10)));
    }
}
