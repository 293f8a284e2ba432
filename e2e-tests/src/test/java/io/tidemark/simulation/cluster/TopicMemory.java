package io.tidemark.simulation.cluster;

import io.tidemark.connector.feed.HistoryFingerprint;
import io.tidemark.connector.feed.KeyTable;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.FakePartition;
import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.LogRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a connector reads from the fake topic when it starts. */
public final class TopicMemory {
    private TopicMemory() {}

    /** The positions of the last committed marks. */
    static ResumePoint resumePoint(FakeTopic topic, Mutation mutation) {
        boolean committed = mutation.resumesFromCommitted();
        List<Change.@Nullable TideMark> marks = new ArrayList<>();
        topic.partitions().forEach(partition -> marks.add(lastMark(partition, committed)));
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
                highest = Math.max(highest, decode(record.content()).epoch());
            }
        }
        return highest;
    }

    private static Change.@Nullable TideMark lastMark(FakePartition partition, boolean committed) {
        List<LogRecord> records = partition.read(0, Integer.MAX_VALUE, committed);
        for (LogRecord record : records.reversed()) {
            if (decode(record.content()) instanceof Change.TideMark mark) {
                return mark;
            }
        }
        return null;
    }

    /**
     * The keys that a reader may hold: the committed ones, and those put by aborted writes after
     * the last committed mark.
     */
    static Set<Bytes> loadKeys(FakeTopic topic) {
        Set<Bytes> live = new HashSet<>();
        for (FakePartition partition : topic.partitions()) {
            long tail = 0;
            for (LogRecord record : partition.read(0, Integer.MAX_VALUE, true)) {
                switch (decode(record.content())) {
                    case Change.Put put -> live.add(put.key());
                    case Change.Delete delete -> live.remove(delete.key());
                    case Change.TideMark _ -> tail = record.offset();
                }
            }
            for (LogRecord record : partition.read(tail, Integer.MAX_VALUE, false)) {
                if (decode(record.content()) instanceof Change.Put put) {
                    live.add(put.key());
                }
            }
        }
        return live;
    }

    /** The fingerprint of the history at the last marks. */
    static HistoryFingerprint fingerprint(FakeTopic topic, ResumePoint resume) {
        HistoryFingerprint fingerprint = new HistoryFingerprint();
        if (resume instanceof ResumePoint.At at) {
            for (FakePartition partition : topic.partitions()) {
                long tail = 0;
                for (LogRecord record : partition.read(0, Integer.MAX_VALUE, true)) {
                    boolean mark = decode(record.content()) instanceof Change.TideMark;
                    tail = mark ? record.offset() : tail;
                }
                HistoryFingerprint all = new HistoryFingerprint();
                for (LogRecord record : partition.read(0, Integer.MAX_VALUE, false)) {
                    Change change = decode(record.content());
                    if (change.epoch() == at.epoch()) {
                        all.observe(change);
                        if (record.offset() >= tail) {
                            fingerprint.observe(change.revision());
                        }
                    }
                }
                all.newest(1).forEach(fingerprint::add);
            }
        }
        return fingerprint;
    }

    /** The same with their versions. */
    static KeyTable loadKeyVersions(FakeTopic topic) {
        KeyTable held = new KeyTable();
        for (FakePartition partition : topic.partitions()) {
            long marked = 0;
            long markedMillis = 0;
            for (LogRecord record : partition.read(0, Integer.MAX_VALUE, true)) {
                switch (decode(record.content())) {
                    case Change.Put put ->
                            held.put(
                                    put.key(), put.revision(), put.createRevision(), put.version());
                    case Change.Delete delete -> held.delete(delete.key());
                    case Change.TideMark mark -> {
                        marked = mark.revision();
                        markedMillis = record.timestampMillis();
                    }
                }
            }
            held.marked(markedMillis);
            for (LogRecord record : partition.read(0, Integer.MAX_VALUE, false)) {
                if (decode(record.content()) instanceof Change.Put put && put.revision() > marked) {
                    held.putUncommitted(put.key(), put.revision());
                }
            }
        }
        return held;
    }

    static Change decode(TopicRecord content) {
        try {
            return ChangeCodec.decode(
                    content.key().array(),
                    content.value() == null ? null : content.value().array(),
                    name -> header(content, name));
        } catch (MalformedRecordException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte @Nullable [] header(TopicRecord content, String name) {
        for (TopicRecord.Header header : content.headers().reversed()) {
            if (header.name().equals(name)) {
                return header.value().getBytes(StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
