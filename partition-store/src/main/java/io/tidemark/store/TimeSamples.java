package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import io.tidemark.view.RevisionAtTime;
import java.util.OptionalLong;

/**
 * Which revision was the newest at which time: for asking as of a time, and for dating a version.
 *
 * <p>Time is parted into slots, each {@link #slotMillis} long and named by its end. Of each slot in
 * which the watermark rose, one sample is kept: the watermark at its end. A time is asked for
 * rounded down to the end of a slot, so an answer never changes once that slot is over; and as the
 * marks carry their time, all partitions and all their copies have the same samples.
 *
 * <p>Reads only; {@link HistoryWindow} writes them.
 */
final class TimeSamples {
    /** Bounds what samples take: 100 ms for a window of six hours, 100 bytes a second at most. */
    private static final int SLOTS_PER_WINDOW = 216_000;

    private TimeSamples() {}

    static long slotMillis(StoreSettings settings) {
        return Math.max(1, settings.historyWindow().toMillis() / SLOTS_PER_WINDOW);
    }

    /** The end of the slot that holds a moment; a moment that is such an end belongs before it. */
    static long slotOf(long timeMillis, long slotMillis) {
        return Math.ceilDiv(timeMillis, slotMillis) * slotMillis;
    }

    /**
     * @param state as it stands in the snapshot
     */
    static RevisionAtTime at(Snapshot snapshot, FoldState state, long timeMillis, long slotMillis) {
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

    /** Of the newest sample at or before a slot, found by halving: cursors only go forward. */
    private static long newestAt(Cursor samples, long firstTime, long slot) {
        long low = firstTime; // There is a sample here,
        long high = slot; // and none that counts after here.
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

    /** The first sample that can be read at. Those below the floor are dropped before long. */
    private static long oldest(Cursor samples, FoldState state) {
        samples.seek(KeyLayout.SAMPLES_FROM);
        while (samples.isValid() && revision(samples) < state.floor) {
            samples.next();
        }
        return samples.isValid() ? time(samples) : state.tideMillis;
    }

    /** Dates revisions, in rising order; for one thread. */
    static final class RevisionTimes implements AutoCloseable {
        private final Cursor samples;
        private final long last;
        private long from;
        private long firstRevision = Long.MAX_VALUE;

        RevisionTimes(Snapshot snapshot, FoldState state, long slotMillis) {
            this.samples = all(snapshot);
            this.last = slotOf(state.tideMillis, slotMillis);
            if (samples.isValid()) {
                from = time(samples);
                firstRevision = revision(samples);
            }
        }

        /** When a revision had come; 0 for one that was there before there is a sample. */
        long timeOf(long revision) {
            if (revision <= firstRevision) {
                return 0;
            }
            long low = from; // What was sampled before it is below the revision.
            long high = last + 1; // At it, or where there is no sample, it is not.
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

    static Cursor all(Snapshot snapshot) {
        return scan(snapshot, KeyLayout.SAMPLES_FROM);
    }

    /**
     * All again, for whoever knows which is the first: what was dropped lies before it, and would
     * be looked at, piece by piece, until the engine has cleaned up.
     */
    static Cursor from(Snapshot snapshot, long firstSlot) {
        return scan(snapshot, KeyLayout.sample(firstSlot));
    }

    private static Cursor scan(Snapshot snapshot, Bytes from) {
        return snapshot.scan(Family.META, from, KeyLayout.SAMPLES_FROM.prefixEnd());
    }

    static long time(Cursor sample) {
        return KeyLayout.timeOfSample(sample.key());
    }

    static long revision(Cursor sample) {
        return KeyLayout.number(sample.value());
    }

    /** What is stored of one. */
    static void put(WriteBatch batch, long slot, long revision) {
        batch.put(Family.META, KeyLayout.sample(slot), KeyLayout.number(revision));
    }

    static void drop(WriteBatch batch, Bytes key) {
        batch.delete(Family.META, key);
    }
}
