package io.tidemark.streams.replica;

import io.tidemark.reading.CorruptRange;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The places in the topic that this process's readers skipped because they are corrupt. A reader
 * records a range before it reads on, and records reach a store in offset order: so a store can ask
 * before it applies a record whether something is missing before it. Thread-safe. Takes one number
 * of memory per corrupt range.
 */
public final class SkippedRanges implements Consumer<CorruptRange> {
    /** By partition: the offsets at which reading resumed. */
    private final ConcurrentMap<Integer, ConcurrentSkipListSet<Long>> ends =
            new ConcurrentHashMap<>();

    @Override
    public void accept(CorruptRange range) {
        ends.computeIfAbsent(range.partition().partition(), _ -> new ConcurrentSkipListSet<>())
                .add(range.toExclusive());
    }

    /**
     * Whether a corrupt range lies between the last applied record and the next one. A replica that
     * has applied what lies after the range has read the range before it was corrupt.
     */
    public boolean isBetween(int partition, long appliedOffset, long nextOffset) {
        @Nullable ConcurrentSkipListSet<Long> passed = ends.get(partition);
        if (passed == null) {
            return false;
        }
        @Nullable Long end = passed.floor(nextOffset);
        return end != null && end - 1 > appliedOffset;
    }

    /** How many corrupt ranges were read so far. */
    public long count() {
        return ends.values().stream().mapToLong(ConcurrentSkipListSet::size).sum();
    }
}
