package io.tidemark.simulation.kafka;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.record.Change;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the fake topic holds, for the oracle. */
public final class TopicMemory {
    private TopicMemory() {}

    /** The positions of the last committed marks. */
    public static ResumePoint resumePoint(FakeTopic topic) {
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        topic.partitions().forEach(partition -> marks.add(lastMark(partition, true)));
        return ResumePoint.of(marks, highestEpoch(topic), "");
    }

    /** The connector's time in the newest mark of each partition. */
    public static List<Long> newestMarkMillis(FakeTopic topic) {
        List<Long> times = new ArrayList<>();
        for (FakePartition partition : topic.partitions()) {
            Change.TideMark newest = lastMark(partition, false);
            times.add(newest == null ? 0 : newest.timeMillis());
        }
        return times;
    }

    private static long highestEpoch(FakeTopic topic) {
        long highest = 0;
        for (FakePartition partition : topic.partitions()) {
            for (LogRecord record : partition.read(0, Integer.MAX_VALUE, false)) {
                highest = Math.max(highest, record.change().map(Change::epoch).orElse(0L));
            }
        }
        return highest;
    }

    private static Change.@Nullable TideMark lastMark(FakePartition partition, boolean committed) {
        List<LogRecord> records = partition.read(0, Integer.MAX_VALUE, committed);
        for (LogRecord record : records.reversed()) {
            if (record.change().orElse(null) instanceof Change.TideMark mark) {
                return mark;
            }
        }
        return null;
    }
}
