package io.tidemark.connector.sink;

import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.TopicClients.Isolation;
import io.tidemark.reading.CorruptRange;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Remembers the corrupt ranges of a topic that readers skipped, and decides whether they matter: a
 * range before its partition's newest list does not, since that list wrote every key again.
 * Single-threaded.
 */
final class CorruptRangeTracker implements Consumer<CorruptRange> {
    private final ConnectorMetrics metrics;
    private final Map<Integer, CorruptRange> last = new TreeMap<>();

    CorruptRangeTracker(ConnectorMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void accept(CorruptRange range) {
        metrics.corruptRange();
        last.merge(range.partition().partition(), range, CorruptRangeTracker::newest);
    }

    /** The newest range, with the one that it continues. */
    private static CorruptRange newest(CorruptRange a, CorruptRange b) {
        CorruptRange newer = a.toExclusive() > b.toExclusive() ? a : b;
        CorruptRange older = newer == a ? b : a;
        boolean touch = older.toExclusive() >= newer.from() && older.from() < newer.from();
        return touch
                ? new CorruptRange(
                        newer.partition(), older.from(), newer.toExclusive(), newer.why())
                : newer;
    }

    /**
     * How many epochs the last corrupt ranges may hide at most. An epoch begins with a record in
     * each partition, and the records after a range show an epoch that is at least as high.
     */
    long hiddenEpochs() {
        return last.values().stream()
                .mapToLong(range -> range.toExclusive() - range.from())
                .max()
                .orElse(0);
    }

    /** Resets, before the topic is read again. */
    void forget() {
        last.clear();
    }

    /** A corrupt range that no later list has replaced; empty when there is none. */
    Optional<String> unrepaired(TopicClients clients, String topic) {
        if (last.isEmpty()) {
            return Optional.empty();
        }
        try (PartitionReader all =
                new PartitionReader(clients, Isolation.UNCOMMITTED, topic, this)) {
            for (TopicPartition partition : all.partitions()) {
                CorruptRange before = last.get(partition.partition());
                if (before != null && !isRelistedAfter(all, before)) {
                    return Optional.of(
                            "the topic is corrupt at " + last.get(partition.partition()));
                }
            }
        }
        return Optional.empty();
    }

    private boolean isRelistedAfter(PartitionReader all, CorruptRange before) {
        AtomicLong list = new AtomicLong(-1);
        all.forward(
                before.partition(),
                before.toExclusive(),
                record ->
                        TopicRecords.mark(record)
                                .filter(mark -> mark.kind() == Kind.LIST_BEGIN)
                                .ifPresent(_ -> list.set(record.offset())));
        // The scan may have found more corrupt ranges.
        CorruptRange now = last.getOrDefault(before.partition().partition(), before);
        return list.get() >= now.toExclusive();
    }
}
