package io.tidemark.connector.sink;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the mirrored history's fingerprint from the mirror topic. To be used after former writers
 * were fenced.
 *
 * @param marks the topic's last committed marks
 * @param all a read-uncommitted reader
 */
record TopicFingerprintReader(TopicMarks marks, PartitionReader all) {
    /**
     * After so many offsets a partition is searched on only while no partition has had a put. Marks
     * go to all partitions, so what lies beyond in this one is older than what another one has
     * within: an idle partition has many marks and nothing else.
     */
    private static final long ENOUGH_OFFSETS = 1 << 14;

    /**
     * The newest puts of an epoch whose keys have not changed since, of each partition that has
     * changed lately, the newest delete, and the highest revision that a store may have seen.
     */
    HistoryFingerprint of(long epoch) {
        HistoryFingerprint fingerprint = new HistoryFingerprint();
        all.forward(
                marks.offsets(),
                record ->
                        TopicRecords.change(record)
                                .filter(change -> change.epoch() == epoch)
                                .ifPresent(change -> fingerprint.observe(change.revision())));
        Map<TopicPartition, Newest> searches = new LinkedHashMap<>();
        all.partitions()
                .forEach(partition -> searches.put(partition, new Newest(epoch, fingerprint)));
        all.backward(searches);
        return fingerprint;
    }

    /** Visits ranges of a partition, the latest first, each of them forward. */
    private static final class Newest implements PartitionReader.Search {
        private final long epoch;

        /** Of all partitions. */
        private final HistoryFingerprint found;

        private final Map<Bytes, PutFingerprint> puts = new LinkedHashMap<>();
        private final Map<Bytes, Change.Delete> deleted = new LinkedHashMap<>();
        private final Set<Bytes> deletedLater = new HashSet<>();

        /** Whether the epoch's list ends in the range, or in a later one. */
        private boolean listEnded;

        /** Whether it ends in a later range, so that no delete is of the epoch's watch. */
        private boolean beforeListEnd;

        Newest(long epoch, HistoryFingerprint found) {
            this.epoch = epoch;
            this.found = found;
        }

        @Override
        public void visit(ConsumerRecord<byte[], byte[]> record) {
            switch (TopicRecords.change(record).orElse(null)) {
                case Change.Put change when change.epoch() == epoch -> {
                    deleted.remove(change.key());
                    puts.put(change.key(), PutFingerprint.of(change));
                }
                case Change.Delete change when change.epoch() == epoch && !beforeListEnd -> {
                    puts.remove(change.key());
                    deleted.put(change.key(), change);
                }
                case Change.TideMark mark
                        when mark.epoch() == epoch && mark.kind() == Kind.LIST_END -> {
                    deleted.clear();
                    listEnded = true;
                }
                case Change.Put _ -> {}
                case Change.Delete _ -> {}
                case Change.TideMark _ -> {}
                case null -> {}
            }
        }

        @Override
        public boolean endRange(long offsets) {
            Optional<PutFingerprint> put =
                    puts.values().stream()
                            .filter(candidate -> !deletedLater.contains(candidate.key()))
                            .max(Comparator.comparingLong(PutFingerprint::revision));
            put.ifPresent(found::add);
            deleted.values().stream()
                    .filter(candidate -> !deletedLater.contains(candidate.key()))
                    .forEach(found::observe);
            deletedLater.addAll(deleted.keySet());
            beforeListEnd = listEnded;
            puts.clear();
            deleted.clear();
            return put.isPresent() || (offsets >= ENOUGH_OFFSETS && !found.newest(1).isEmpty());
        }
    }
}
