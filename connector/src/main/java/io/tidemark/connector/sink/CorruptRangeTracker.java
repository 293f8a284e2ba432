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
        last.merge(
                range.partition().partition(),
                range,
                (a, b) -> a.toExclusive() > b.toExclusive() ? a : b);
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
