package io.tidemark.streams;

import io.tidemark.reading.CorruptRange;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where readers of this process have passed over what is damaged in the topic. They say so before
 * they go on, and what they read goes into a store in the order of offsets; so a store learns here,
 * before it takes a record, whether something is missing before it. Safe for all threads. Takes one
 * number for each damaged place of the topic.
 */
final class SkippedRanges implements Consumer<CorruptRange> {
    /** By partition: the offsets at which reading went on. */
    private final ConcurrentMap<Integer, ConcurrentSkipListSet<Long>> ends =
            new ConcurrentHashMap<>();

    @Override
    public void accept(CorruptRange damage) {
        ends.computeIfAbsent(damage.partition().partition(), _ -> new ConcurrentSkipListSet<>())
                .add(damage.toExclusive());
    }

    /**
     * Whether something damaged lies between the last record that was applied and the next one. A
     * copy that has applied what lies behind the damage has read it in better days.
     */
    boolean isBetween(int partition, long appliedOffset, long nextOffset) {
        @Nullable ConcurrentSkipListSet<Long> passed = ends.get(partition);
        if (passed == null) {
            return false;
        }
        @Nullable Long end = passed.floor(nextOffset);
        return end != null && end - 1 > appliedOffset;
    }

    /** How many damaged places there are, as far as they were read. */
    long count() {
        return ends.values().stream().mapToLong(ConcurrentSkipListSet::size).sum();
    }
}
