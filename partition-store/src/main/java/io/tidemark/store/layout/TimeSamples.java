package io.tidemark.store.layout;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.view.request.RevisionAtTime;
import java.util.OptionalLong;

/**
 * Maps times to revisions, for reads as of a time and for the times of versions.
 *
 * <p>Time is divided into slots of {@link #slotMillis}, each named by its end. For each slot in
 * which the watermark rose, one sample is kept: the watermark at its end. A requested time is
 * rounded down to the end of a slot, so an answer never changes once that slot is over; and because
 * marks carry their time, all partitions and all replicas have the same samples.
 *
 * <p>Read-only; {@code HistoryWindow} writes the samples.
 */
public final class TimeSamples {
    /** Bounds the samples: one per 100 ms for a window of six hours, at most 100 bytes a second. */
    private static final int SLOTS_PER_WINDOW = 216_000;

    private TimeSamples() {}

    /** Length of a slot: at least 1 ms. */
    public static long slotMillis(StoreSettings settings) {
        return Math.max(1, settings.historyWindow().toMillis() / SLOTS_PER_WINDOW);
    }

    /** The end of the slot that contains a time; a slot's end belongs to that slot. */
    public static long slotOf(long timeMillis, long slotMillis) {
        return Math.ceilDiv(timeMillis, slotMillis) * slotMillis;
    }

    /**
     * @param state from the snapshot
     */
    public static RevisionAtTime at(
            Snapshot snapshot, FoldState state, long timeMillis, long slotMillis) {
        long slot = Math.floorDiv(timeMillis, slotMillis) * slotMillis;
        boolean settled = state.tideMillis > slot;
        try (Cursor samples = all(snapshot)) {
            long oldest = oldest(samples, state);
            OptionalLong revision =
                    !samples.isValid() || oldest > slot
                            ? OptionalLong.empty()
                            : OptionalLong.of(newestAt(samples, oldest, slot));
            return new RevisionAtTime(revision, settled, oldest);
        }
    }

    /** The revision of the newest sample at or before a slot, by bisection: cursors go forward. */
    private static long newestAt(Cursor samples, long firstTime, long slot) {
        long low = firstTime; // There is a sample here.
        long high = slot; // The wanted sample is not after this.
        while (low < high) {
            long middle = high - (high - low) / 2;
            samples.seek(KeyLayout.sample(middle));
            if (samples.isValid() && time(samples) <= high) {
                low = time(samples);
            } else {
                high = middle - 1;
            }
        }
        samples.seek(KeyLayout.sample(low));
        return revision(samples);
    }

    /** The time of the first sample at or above the floor; trimming drops those below it. */
    private static long oldest(Cursor samples, FoldState state) {
        samples.seek(KeyLayout.SAMPLES_FROM);
        while (samples.isValid() && revision(samples) < state.floor) {
            samples.next();
        }
        return samples.isValid() ? time(samples) : state.tideMillis;
    }

    /** Maps revisions to times, in rising order; for one thread. */
    public static final class RevisionTimes implements AutoCloseable {
        /** The next sample is a fraction of the cost of a bisection over all of them. */
        private static final int NEAR = 8;

        /** At the sample of the last answer: the next answer is this one or behind it. */
        private final Cursor samples;

        private final long last;
        private long from;
        private long firstRevision = Long.MAX_VALUE;

        /**
         * @param state from the snapshot
         * @param slotMillis as of {@link #slotMillis}
         */
        public RevisionTimes(Snapshot snapshot, FoldState state, long slotMillis) {
            this.samples = all(snapshot);
            this.last = slotOf(state.tideMillis, slotMillis);
            if (samples.isValid()) {
                from = time(samples);
                firstRevision = revision(samples);
            }
        }

        /** By when a revision was complete; 0 when it is not above the first sample. */
        public long timeOf(long revision) {
            if (revision <= firstRevision) {
                return 0;
            }
            for (int i = 0; i < NEAR && samples.isValid(); i++) {
                if (revision(samples) >= revision) {
                    from = time(samples);
                    return from;
                }
                samples.next();
            }
            long low = from; // Samples before it are below the revision.
            long high = last + 1; // Samples from here on are not, if any.
            while (low < high) {
                long middle = low + (high - low) / 2;
                samples.seek(KeyLayout.sample(middle));
                if (!samples.isValid() || revision(samples) >= revision) {
                    high = middle;
                } else {
                    low = time(samples) + 1;
                }
            }
            samples.seek(KeyLayout.sample(low));
            if (!samples.isValid()) {
                return 0;
            }
            from = low;
            return time(samples);
        }

        @Override
        public void close() {
            samples.close();
        }
    }

    /** All samples, from the oldest on; the caller closes the cursor. */
    public static Cursor all(Snapshot snapshot) {
        return scan(snapshot, KeyLayout.SAMPLES_FROM);
    }

    /**
     * All samples, for a caller that knows the first: this avoids scanning the tombstones before
     * it, which stay until the engine compacts them.
     */
    public static Cursor from(Snapshot snapshot, long firstSlot) {
        return scan(snapshot, KeyLayout.sample(firstSlot));
    }

    private static Cursor scan(Snapshot snapshot, Bytes from) {
        return snapshot.scan(Family.META, from, KeyLayout.SAMPLES_FROM.prefixEnd());
    }

    /** End of the slot of the sample at the cursor, in ms since 1970. */
    public static long time(Cursor sample) {
        return KeyLayout.timeOfSample(sample.key());
    }

    /** The watermark by then. */
    public static long revision(Cursor sample) {
        return KeyLayout.number(sample.value());
    }

    /**
     * @param slot its end, in ms since 1970
     */
    public static void put(WriteBatch batch, long slot, long revision) {
        batch.put(Family.META, KeyLayout.sample(slot), KeyLayout.number(revision));
    }

    /**
     * @param key of a sample, as its cursor has it
     */
    public static void drop(WriteBatch batch, Bytes key) {
        batch.delete(Family.META, key);
    }
}
