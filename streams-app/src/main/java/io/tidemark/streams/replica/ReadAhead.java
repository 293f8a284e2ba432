package io.tidemark.streams.replica;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Applies records of a restore or a standby when they arrive, before Streams handles them. Streams
 * reads a standby's source topic to its end but keeps back what lies above the group's committed
 * offset. Here every replica is a fold over the topic and drops what it has applied before, so
 * reading ahead is harmless; and a standby that does not wait for the active's commits continues
 * when the active dies, while the group elects another.
 *
 * <p>Streams still decides when a replica is restored and how far it lags, all by committed
 * offsets. For that it gets the newest offset of each partition, without the data: it keeps such
 * records until the active commits, however long that takes.
 */
public final class ReadAhead {
    private static final byte[] NOTHING = new byte[0];

    /** The open stores, by partition. */
    private final Map<Integer, Target> targets = new ConcurrentHashMap<>();

    /** A store that Streams restores or keeps as a standby. */
    interface Target {
        void apply(DeliveredRecord each);

        /** All records through this offset have been applied; it may be one without a record. */
        void appliedThrough(long offset);
    }

    void opened(int partition, Target store) {
        targets.put(partition, store);
    }

    /** Does nothing if another store has been opened since. */
    void closed(int partition, Target store) {
        targets.remove(partition, store);
    }

    /**
     * Applies records, in the thread that polls.
     *
     * @return what Streams gets in their place: one record of each partition, with the last offset
     * @throws IllegalStateException if a partition has no open store: Streams must not count the
     *     records as restored
     */
    ConsumerRecords<byte[], byte[]> apply(ConsumerRecords<byte[], byte[]> polled) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> offsets = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            Target store = targets.get(partition.partition());
            if (store == null) {
                throw new IllegalStateException(partition + " is restored without an open store");
            }
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            records.forEach(each -> store.apply(DeliveredRecord.of(each)));
            offsets.put(partition, List.of(offsetOf(records.getLast())));
        }
        polled.nextOffsets()
                .forEach((partition, next) -> {
                    Target store = targets.get(partition.partition());
                    if (store != null) {
                        store.appliedThrough(next.offset() - 1);
                    }
                });
        return new ConsumerRecords<>(offsets, polled.nextOffsets());
    }

    /** With an empty key, not a null one: Streams drops records with a null key. */
    private static ConsumerRecord<byte[], byte[]> offsetOf(ConsumerRecord<byte[], byte[]> record) {
        return new ConsumerRecord<>(
                record.topic(), record.partition(), record.offset(), NOTHING, NOTHING);
    }
}
