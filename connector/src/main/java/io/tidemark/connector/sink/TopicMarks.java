package io.tidemark.connector.sink;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The last committed mark of every partition of the mirror topic, with its offset. To be read after
 * former writers were fenced: then no transaction is open.
 */
final class TopicMarks {
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, MarkPosition> last;

    private record MarkPosition(Change.TideMark mark, long offset) {}

    /**
     * @param committed a read-committed reader
     */
    TopicMarks(PartitionReader committed) {
        partitions = committed.partitions();
        last =
                committed.last(record ->
                        TopicRecords.mark(record)
                                .map(mark -> new MarkPosition(mark, record.offset())));
    }

    /**
     * Where the writer stopped, by the marks of all partitions together; see {@link
     * ResumePoint#of}.
     *
     * @param all a read-uncommitted reader
     */
    ResumePoint resumePoint(PartitionReader all, String scope) {
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            MarkPosition position = last.get(partition);
            marks.add(position == null ? null : position.mark());
        }
        return ResumePoint.of(marks, highestEpoch(all), scope);
    }

    /** Epochs never decrease within a partition, so its very last record has the highest. */
    private static long highestEpoch(PartitionReader all) {
        return all.last(TopicRecords::epoch).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** The epoch of the newest mark; 0 when there is none. */
    long epoch() {
        return last.values().stream()
                .mapToLong(position -> position.mark().epoch())
                .max()
                .orElse(0);
    }

    /** The offset of the last mark of each partition; 0 where there is none. */
    Map<TopicPartition, Long> offsets() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            MarkPosition position = last.get(partition);
            offsets.put(partition, position == null ? 0L : position.offset());
        }
        return offsets;
    }
}
