package io.tidemark.connector.sink;

import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Loads the keys that the mirror topic holds, for two kinds of readers: those of committed records,
 * and the stores, which have also seen writes aborted after the last committed mark. To be used
 * after former writers were fenced: then no transaction is open.
 */
final class TopicKeys {
    private final TopicClients clients;
    private final String topic;
    private final CorruptRangeTracker corruptRanges;

    TopicKeys(TopicClients clients, String topic, CorruptRangeTracker corruptRanges) {
        this.clients = clients;
        this.topic = topic;
        this.corruptRanges = corruptRanges;
    }

    /**
     * Keys with a value: those whose last committed record is a put, and those put after the last
     * committed mark by aborted transactions, which read-uncommitted consumers have seen. Takes
     * memory for every key and reads the whole topic, so it is for new epochs only.
     */
    Set<Bytes> loadKeys() {
        Set<Bytes> live = new HashSet<>();
        read(
                false,
                record -> {
                    if (record.value() == null) {
                        live.remove(Bytes.wrap(record.key()));
                    } else if (isOfEtcd(record)) {
                        live.add(Bytes.wrap(record.key()));
                    }
                },
                record -> {
                    if (record.value() != null && isOfEtcd(record)) {
                        live.add(Bytes.wrap(record.key()));
                    }
                });
        return live;
    }

    /**
     * The same keys with their versions, to be compared with etcd's, and the keys of deletes after
     * the last committed mark, which stores no longer hold. It looks for aborted writes in the
     * whole topic: a later writer may have stopped, after a mark, before it had written all of them
     * again. Committed versions count in the newest epoch only, whose list has every key: an older
     * one may be in another partition, if partitions were added since.
     */
    KeyTable loadKeyVersions() {
        KeyTable held = new KeyTable();
        AtomicReference<Change.@Nullable TideMark> lastMark = new AtomicReference<>();
        Map<Integer, Long> lastMarks = new HashMap<>();
        read(
                true,
                record -> {
                    switch (TopicRecords.change(record).orElse(null)) {
                        case Change.Put put ->
                                held.put(
                                        put.key(),
                                        put.revision(),
                                        put.createRevision(),
                                        put.version());
                        case Change.Delete delete -> held.delete(delete.key());
                        case Change.TideMark mark -> {
                            lastMark.set(mark);
                            lastMarks.put(record.partition(), record.timestamp());
                        }
                        case null -> {}
                    }
                },
                record -> {
                    @Nullable Change change = TopicRecords.change(record).orElse(null);
                    if (change != null && isAfter(change, lastMark.get())) {
                        switch (change) {
                            case Change.Put put -> held.putUncommitted(put.key(), put.revision());
                            case Change.Delete delete ->
                                    held.putUncommitted(delete.key(), delete.revision());
                            case Change.TideMark _ -> {}
                        }
                    }
                });
        lastMarks.values().forEach(held::marked);
        return held;
    }

    /** Of an earlier epoch, a put was committed, or deleted by the list that began the next one. */
    private static boolean isAfter(Change change, Change.@Nullable TideMark mark) {
        return mark == null
                || change.epoch() >= mark.epoch() && change.revision() > mark.revision();
    }

    /**
     * Visits every committed record of a partition, and then its uncommitted tail.
     *
     * @param whole whether to visit every record as the tail, committed or not, and not only those
     *     after the last mark; then committed records of earlier epochs than the last mark's are
     *     left out
     */
    private void read(
            boolean whole,
            PartitionReader.Visitor eachCommitted,
            PartitionReader.Visitor eachOfTail) {
        try (PartitionReader all =
                        new PartitionReader(clients, Isolation.UNCOMMITTED, topic, corruptRanges);
                PartitionReader committed =
                        new PartitionReader(clients, Isolation.COMMITTED, topic, corruptRanges)) {
            // The broker answers before it has written the last transaction's end to all
            // partitions; reads through these ends wait for it.
            committed.readThrough(all);
            TopicMarks marks = new TopicMarks(committed);
            long from = whole ? marks.epoch() : 0;
            Map<TopicPartition, Long> tails = whole ? Map.of() : marks.offsets();
            for (TopicPartition partition : committed.partitions()) {
                committed.forward(
                        partition,
                        0,
                        record -> {
                            if (from == 0 || TopicRecords.epoch(record).orElse(0L) >= from) {
                                eachCommitted.visit(record);
                            }
                        });
                all.forward(partition, tails.getOrDefault(partition, 0L), eachOfTail);
            }
        }
    }

    private static boolean isOfEtcd(ConsumerRecord<byte[], byte[]> record) {
        return !Bytes.wrap(record.key()).startsWith(ChangeCodec.CONTROL_PREFIX);
    }
}
