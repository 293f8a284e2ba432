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
 * The last committed mark of every partition of the mirror topic, and where it stands. To be read
 * after former writers were fenced off: then no transaction is open.
 */
final class TopicMarks {
    private final List<TopicPartition> partitions;
    private final Map<TopicPartition, MarkPosition> last;

    private record MarkPosition(Change.TideMark mark, long offset) {}

    /**
     * @param committed sees what was committed
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
     * @param all sees everything
     */
    ResumePoint resumePoint(PartitionReader all, String scope) {
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            MarkPosition place = last.get(partition);
            marks.add(place == null ? null : place.mark());
        }
        return ResumePoint.of(marks, highestEpoch(all), scope);
    }

    /** Epochs only rise along a partition, so its last record of all has the highest. */
    private static long highestEpoch(PartitionReader all) {
        return all.last(TopicRecords::epoch).values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** The offset of the last mark of each partition; 0 where there is none. */
    Map<TopicPartition, Long> offsets() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            MarkPosition place = last.get(partition);
            offsets.put(partition, place == null ? 0L : place.offset());
        }
        return offsets;
    }
}
