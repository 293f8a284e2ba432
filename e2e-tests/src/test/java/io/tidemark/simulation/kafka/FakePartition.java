package io.tidemark.simulation.kafka;

import io.tidemark.reading.CorruptRange;
import io.tidemark.record.Bytes;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.CoverageCounts;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * One partition's log and its cleaner, which follows Kafka's rules: it works on whole segments,
 * never on the active one, never past the last stable offset, never on a segment that holds a
 * record younger than the lag; within those it keeps the newest record of each key, and a tombstone
 * until its retention is over, counted from the pass that first met it.
 */
public final class FakePartition {
    /** Times in milliseconds; {@code segmentRecords} is when a new segment is begun. */
    public record Settings(
            long minCompactionLagMillis,
            long deleteRetentionMillis,
            int segmentRecords,
            long segmentMillis) {}

    private final int number;
    private final Settings settings;
    private final List<Segment> segments = new ArrayList<>();
    private final Map<Long, Long> deleteHorizons = new HashMap<>();
    private final Map<Transaction, Long> firstOffsetOfOpen = new HashMap<>();
    private final List<Runnable> readers = new ArrayList<>();
    private final List<Lost> lost = new ArrayList<>();
    private final CoverageCounts census;
    private long endOffset;
    private long firstDirtyOffset;

    public FakePartition(int number, Settings settings, CoverageCounts census) {
        this.number = number;
        this.settings = settings;
        this.census = census;
    }

    /** Offsets whose records the broker cannot read any more; the upper one is exclusive. */
    private record Lost(long from, long to) {}

    private static final class Segment {
        private final long baseOffset;
        private final long beganAtMillis;
        private final List<LogRecord> records = new ArrayList<>();
        private long largestTimestamp;

        Segment(long baseOffset, long beganAtMillis) {
            this.baseOffset = baseOffset;
            this.beganAtMillis = beganAtMillis;
        }
    }

    /** The offset after the last record or marker. */
    public long endOffset() {
        return endOffset;
    }

    /** Calls {@code reader} after every appended record; it must be quick. */
    public void onAppend(Runnable reader) {
        readers.add(reader);
    }

    /** Returns the record's offset. */
    public long append(TopicRecord content, Transaction transaction, long nowMillis) {
        firstOffsetOfOpen.putIfAbsent(transaction, endOffset);
        return add(content, transaction, nowMillis);
    }

    /** A producer without transactions writes a record, which every reader sees at once. */
    public void appendForeign(TopicRecord content, long nowMillis) {
        Transaction none = new Transaction(number + 1);
        none.end(number, Transaction.TransactionOutcome.COMMITTED);
        long unused = add(content, none, nowMillis);
        census.count(CoverageEvent.FOREIGN_RECORDS);
    }

    private long add(TopicRecord content, Transaction transaction, long nowMillis) {
        Segment active = activeSegment(nowMillis);
        long offset = endOffset++;
        active.records.add(new LogRecord(offset, nowMillis, content, transaction));
        active.largestTimestamp = Math.max(active.largestTimestamp, nowMillis);
        for (Runnable reader : readers) {
            reader.run();
        }
        return offset;
    }

    /**
     * A transaction's marker takes an offset, which no reader sees, in each partition that has a
     * record of it.
     */
    public void appendMarker(Transaction transaction, Transaction.TransactionOutcome fate) {
        transaction.end(number, fate);
        if (firstOffsetOfOpen.remove(transaction) == null) {
            return;
        }
        endOffset++;
        census.count(
                fate == Transaction.TransactionOutcome.COMMITTED
                        ? CoverageEvent.TRANSACTIONS_COMMITTED
                        : CoverageEvent.TRANSACTIONS_ABORTED);
    }

    private Segment activeSegment(long nowMillis) {
        boolean full =
                segments.isEmpty()
                        || segments.getLast().records.size() >= settings.segmentRecords()
                        || nowMillis - segments.getLast().beganAtMillis >= settings.segmentMillis();
        if (full) {
            segments.add(new Segment(endOffset, nowMillis));
        }
        return segments.getLast();
    }

    /** The first offset of an open transaction, or the end. */
    public long lastStableOffset() {
        long first = endOffset;
        for (long offset : firstOffsetOfOpen.values()) {
            first = Math.min(first, offset);
        }
        return first;
    }

    /**
     * The disk damages some of the newest records. Their offsets remain, and no one can read them.
     *
     * @param back from the end to the first of them
     * @param count how many at most
     */
    public void corrupt(int back, int count) {
        long from = Math.max(0, endOffset - back);
        long to = Math.min(endOffset, from + count);
        if (from >= to) {
            return;
        }
        for (Segment segment : segments) {
            segment.records.removeIf(record -> record.offset() >= from && record.offset() < to);
        }
        lost.add(new Lost(from, to));
        census.count(CoverageEvent.RANGES_CORRUPTED);
    }

    /** Reports what a reader passes on its way from an offset to another, which is exclusive. */
    public void reportCorruptRanges(long from, long to, Consumer<CorruptRange> reader) {
        for (Lost each : lost) {
            if (each.from() < to && each.to() > from) {
                reader.accept(
                        new CorruptRange(
                                new TopicPartition(SimulatedKafka.TOPIC, number),
                                Math.max(from, each.from()),
                                each.to(),
                                "bad checksum"));
            }
        }
    }

    /** The offset after the last unreadable record; 0 when all can be read. */
    public long lostBefore() {
        return lost.stream().mapToLong(Lost::to).max().orElse(0);
    }

    /** Offset below which the cleaner has removed superseded records. */
    public long cleanedOffset() {
        return firstDirtyOffset;
    }

    /** What a consumer gets: at most {@code max} records from an offset on. */
    public List<LogRecord> read(long fromOffsetInclusive, int max, boolean committedOnly) {
        long end = committedOnly ? lastStableOffset() : endOffset;
        if (fromOffsetInclusive >= end) {
            return List.of();
        }
        List<LogRecord> found = new ArrayList<>();
        for (int i = firstSegmentOf(fromOffsetInclusive); i < segments.size(); i++) {
            for (LogRecord record : segments.get(i).records) {
                if (found.size() == max || record.offset() >= end) {
                    return found;
                }
                boolean hidden =
                        committedOnly
                                && record.transaction().fate(number)
                                        == Transaction.TransactionOutcome.ABORTED;
                if (record.offset() >= fromOffsetInclusive && !hidden) {
                    found.add(record);
                }
            }
        }
        return found;
    }

    /** Readers are usually near the end, so the search starts there. */
    private int firstSegmentOf(long offset) {
        int first = segments.size() - 1;
        while (first > 0 && segments.get(first).baseOffset > offset) {
            first--;
        }
        return Math.max(0, first);
    }

    /** One pass of the cleaner. */
    public void clean(long nowMillis) {
        long firstUncleanable = firstUncleanableOffset(nowMillis);
        // The cleaner gives up on a log that it cannot read.
        if (firstUncleanable <= firstDirtyOffset || !lost.isEmpty()) {
            return;
        }
        Map<Bytes, Long> newest = new HashMap<>();
        for (Segment segment : segments) {
            for (LogRecord record : segment.records) {
                if (record.offset() >= firstDirtyOffset
                        && record.offset() < firstUncleanable
                        && !isAborted(record)) {
                    newest.put(record.content().key(), record.offset());
                }
            }
        }
        for (Segment segment : segments) {
            int before = segment.records.size();
            segment.records.removeIf(record ->
                    record.offset() < firstUncleanable && !retains(record, newest, nowMillis));
            census.count(CoverageEvent.RECORDS_CLEANED, before - segment.records.size());
        }
        firstDirtyOffset = firstUncleanable;
    }

    private long firstUncleanableOffset(long nowMillis) {
        long first =
                Math.min(
                        lastStableOffset(), segments.isEmpty() ? 0 : segments.getLast().baseOffset);
        for (Segment segment : segments) {
            if (segment.largestTimestamp > nowMillis - settings.minCompactionLagMillis()) {
                return Math.min(first, segment.baseOffset);
            }
        }
        return first;
    }

    private boolean retains(LogRecord record, Map<Bytes, Long> newest, long nowMillis) {
        Long latest = newest.get(record.content().key());
        if (isAborted(record) || (latest != null && record.offset() < latest)) {
            return false;
        }
        if (!record.isTombstone()) {
            return true;
        }
        Long horizon =
                deleteHorizons.putIfAbsent(
                        record.offset(), nowMillis + settings.deleteRetentionMillis());
        boolean kept = horizon == null || nowMillis < horizon;
        if (!kept) {
            census.count(CoverageEvent.TOMBSTONES_CLEANED);
        }
        return kept;
    }

    private boolean isAborted(LogRecord record) {
        return record.transaction().fate(number) == Transaction.TransactionOutcome.ABORTED;
    }
}
