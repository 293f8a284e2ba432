package io.tidemark.simulation.outside;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.kafka.FakePartition;
import io.tidemark.simulation.kafka.FakeTopic;
import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.model.ReferenceModel;
import io.tidemark.simulation.model.Version;
import io.tidemark.simulation.probe.ReplicaProbe;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The topic as an outside consumer sees it: the newest committed record of each key. Without writes
 * in progress, that is what etcd holds; where records became unreadable, from the next list on.
 */
public final class TopicTable {
    private TopicTable() {}

    public static Optional<Violation> difference(
            FakeTopic topic, EpochHistories epochs, ReferenceModel model) {
        Map<Bytes, Long> table = new TreeMap<>();
        long through = Long.MAX_VALUE;
        for (FakePartition partition : topic.partitions()) {
            Optional<Part> part = read(partition);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            table.putAll(part.get().revisions());
            through = Math.min(through, part.get().marked());
        }
        if (!epochs.isMirrored(model.current().epoch()) || through != model.current().revision()) {
            return Optional.empty();
        }
        Map<Bytes, Long> expected = new TreeMap<>();
        for (Map.Entry<Bytes, Version> entry :
                model.current().stateAt(ReplicaProbe.EVERYTHING, through).entrySet()) {
            expected.put(entry.getKey(), entry.getValue().revision());
        }
        return table.equals(expected)
                ? Optional.empty()
                : Optional.of(
                        new Violation(
                                Promise.CONVERGENT,
                                "the topic as a table is %s, not %s".formatted(table, expected)));
    }

    /** One partition's keys with their revisions, as of its last mark. */
    private record Part(Map<Bytes, Long> revisions, long marked) {}

    /**
     * Empty while no list follows unreadable records. A deletion may be among them, so a table
     * begins again at that list, as the topic's format says.
     */
    private static Optional<Part> read(FakePartition partition) {
        Map<Bytes, Long> revisions = new TreeMap<>();
        long marked = 0;
        boolean whole = partition.lostBefore() == 0;
        for (LogRecord record : partition.read(0, Integer.MAX_VALUE, true)) {
            Optional<Change> change = record.change();
            if (change.isEmpty()) {
                continue;
            }
            switch (change.get()) {
                case Change.Put put -> revisions.put(put.key(), put.revision());
                case Change.Delete delete -> revisions.remove(delete.key());
                case Change.TideMark mark -> {
                    marked = mark.revision();
                    if (!whole
                            && mark.kind() == Kind.LIST_BEGIN
                            && record.offset() >= partition.lostBefore()) {
                        whole = true;
                        revisions.clear();
                    }
                }
            }
        }
        return whole ? Optional.of(new Part(revisions, marked)) : Optional.empty();
    }
}
