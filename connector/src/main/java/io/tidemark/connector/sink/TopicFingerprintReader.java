package io.tidemark.connector.sink;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.PutFingerprint;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
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
     * The newest puts of an epoch whose keys have not changed since, at least one per partition,
     * and the highest revision that a store may have seen.
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
        all.partitions().forEach(partition -> searches.put(partition, new Newest(epoch)));
        all.backward(searches);
        searches.values().forEach(search -> search.put.ifPresent(fingerprint::add));
        return fingerprint;
    }

    /** Visits ranges of a partition, the latest first, each of them forward. */
    private static final class Newest implements PartitionReader.Search {
        private final long epoch;
        private final Map<Bytes, PutFingerprint> puts = new LinkedHashMap<>();
        private final Set<Bytes> deleted = new HashSet<>();
        private final Set<Bytes> deletedLater = new HashSet<>();
        private Optional<PutFingerprint> put = Optional.empty();

        Newest(long epoch) {
            this.epoch = epoch;
        }

        @Override
        public void visit(ConsumerRecord<byte[], byte[]> record) {
            switch (TopicRecords.change(record).orElse(null)) {
                case Change.Put change when change.epoch() == epoch -> {
                    deleted.remove(change.key());
                    puts.put(change.key(), PutFingerprint.of(change));
                }
                case Change.Delete change -> {
                    puts.remove(change.key());
                    deleted.add(change.key());
                }
                case Change.Put _ -> {}
                case Change.TideMark _ -> {}
                case null -> {}
            }
        }

        @Override
        public boolean endRange() {
            for (PutFingerprint candidate : puts.values()) {
                boolean newer = put.isEmpty() || put.get().revision() < candidate.revision();
                if (newer && !deletedLater.contains(candidate.key())) {
                    put = Optional.of(candidate);
                }
            }
            deletedLater.addAll(deleted);
            puts.clear();
            deleted.clear();
            return put.isPresent();
        }
    }
}
