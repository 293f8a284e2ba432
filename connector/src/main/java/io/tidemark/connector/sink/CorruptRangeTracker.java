package io.tidemark.connector.sink;

import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.sink.KafkaClients.Isolation;
import io.tidemark.reading.CorruptRange;
import io.tidemark.record.Change.TideMark.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * What of a topic could not be read and was passed over, and whether it matters: what lies before
 * the newest list of its partition does not, since that tells everything again. Of one thread.
 */
final class CorruptRangeTracker implements Consumer<CorruptRange> {
    private final ConnectorMetrics metrics;
    private final Map<Integer, CorruptRange> last = new TreeMap<>();

    CorruptRangeTracker(ConnectorMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void accept(CorruptRange damage) {
        metrics.corruptRange();
        last.merge(
                damage.partition().partition(),
                damage,
                (a, b) -> a.toExclusive() > b.toExclusive() ? a : b);
    }

    /** Before the topic is read again. */
    void forget() {
        last.clear();
    }

    /** Something that is lost, and of which no list has told again; empty when there is none. */
    Optional<String> unrepaired(KafkaClients clients, String topic) {
        if (last.isEmpty()) {
            return Optional.empty();
        }
        try (PartitionReader all =
                new PartitionReader(clients, Isolation.UNCOMMITTED, topic, this)) {
            for (TopicPartition partition : all.partitions()) {
                CorruptRange before = last.get(partition.partition());
                if (before != null && !isRelistedAfter(all, before)) {
                    return Optional.of(
                            "the topic is damaged at " + last.get(partition.partition()));
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
        // There may be more of it on the way.
        CorruptRange now = last.getOrDefault(before.partition().partition(), before);
        return list.get() >= now.toExclusive();
    }
}
