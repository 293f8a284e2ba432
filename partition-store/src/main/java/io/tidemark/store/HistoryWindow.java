package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;

/**
 * Keeps the history within its bounds of time and bytes: drops the oldest changes, with the
 * versions that only they kept alive, and raises the floor over them. A floor only rises over
 * changes that are dropped, so a quiet partition can be watched from where it was left, however
 * long ago.
 *
 * <p>What a revision's age is, it knows from {@link TimeSamples}, which it writes and drops.
 */
final class HistoryWindow {
    private static final int MIN_CHUNK = 1000;

    /** Changes that one call of {@link #trim} makes up for: it bounds the batch it writes to. */
    static final int MOST_ADDED = 10_000;

    /** Samples dropped in one step: the rest goes with the next marks. */
    private static final int MAX_DROPPED_SAMPLES = 10_000;

    private static final long NONE = -1;

    private final KeyValueEngine engine;
    private final long windowMillis;
    private final long maxBytes;
    private final long slotMillis;

    // The samples are in the engine; these say what of them is needed at every mark.
    private long newestSlot = NONE;
    private long newestRevision = NONE;
    private long oldestSlot = NONE;
    private long oldestRevision = NONE;

    /** The sample after the oldest; {@link #NONE} when that has to be looked for. */
    private long secondSlot = NONE;

    /** Everything in {@code history} below this is gone. */
    private Bytes trimmedTo = Bytes.EMPTY;

    /** Every change at or below this revision is gone from {@code history}. */
    private long trimmedThroughRevision = -1;

    HistoryWindow(KeyValueEngine engine, StoreSettings settings) {
        this.engine = engine;
        this.windowMillis = settings.historyWindow().toMillis();
        this.maxBytes = settings.maxHistoryBytes();
        this.slotMillis = TimeSamples.slotMillis(settings);
        try (Snapshot snapshot = engine.snapshot();
                Cursor samples = TimeSamples.all(snapshot)) {
            for (; samples.isValid(); samples.next()) {
                sampled(TimeSamples.time(samples), TimeSamples.revision(samples));
            }
        }
    }

    /** Everything before is void. */
    void clear() {
        newestSlot = NONE;
        newestRevision = NONE;
        oldestSlot = NONE;
        oldestRevision = NONE;
        secondSlot = NONE;
        trimmedTo = Bytes.EMPTY;
        trimmedThroughRevision = -1;
    }

    /**
     * Notes that everything through {@code revision} had been told by {@code timeMillis}.
     *
     * @param timeMillis never below that of an earlier call
     */
    void sample(WriteBatch batch, long timeMillis, long revision) {
        if (revision > newestRevision) {
            long slot = TimeSamples.slotOf(timeMillis, slotMillis);
            TimeSamples.put(batch, slot, revision);
            sampled(slot, revision);
        }
    }

    private void sampled(long slot, long revision) {
        newestSlot = slot;
        newestRevision = revision;
        if (oldestSlot == NONE || oldestSlot == slot) {
            oldestSlot = slot;
            oldestRevision = revision;
        }
    }

    /**
     * Drops what is out of bounds, some at a time: at least {@link #MIN_CHUNK} changes, and more
     * than were added since the last time, so that it never falls behind for good.
     *
     * @param added changes added to the history that no call has made up for, at most {@link
     *     #MOST_ADDED}
     */
    void trim(WriteBatch batch, FoldState state, long nowMillis, int added) {
        long throughRevision =
                Math.min(state.watermark, Math.max(state.floor, expired(batch, state, nowMillis)));
        if (batch.clears()
                || (throughRevision <= trimmedThroughRevision && state.historyBytes <= maxBytes)) {
            return;
        }
        int left = Math.max(MIN_CHUNK, 2 * added);
        try (Snapshot snapshot = engine.snapshot();
                Cursor cursor = snapshot.scan(Family.HISTORY, trimmedTo, Bytes.EMPTY)) {
            for (; cursor.isValid() && left > 0; cursor.next(), left--) {
                long revision = KeyLayout.revisionOfHistory(cursor.key());
                boolean tooMany = state.historyBytes > maxBytes && revision <= state.watermark;
                if (revision > throughRevision && !tooMany) {
                    break;
                }
                drop(batch, state, cursor.key(), HistoryEntry.decode(cursor.value()));
                state.floor = Math.max(state.floor, revision);
                trimmedTo = cursor.key().successor();
            }
        }
        if (state.isInGap(state.floor)) {
            state.floor = state.bridgedThrough;
        }
        if (left > 0) {
            trimmedThroughRevision = Math.max(throughRevision, state.floor);
        }
    }

    private static void drop(
            WriteBatch batch, FoldState state, Bytes historyKey, HistoryEntry entry) {
        batch.delete(Family.HISTORY, historyKey);
        if (entry.hasPrevious()) {
            long revision = KeyLayout.revisionOfHistory(historyKey);
            batch.delete(Family.VERSIONS, KeyLayout.version(entry.key(), revision));
        }
        state.historyBytes -= entry.cost();
    }

    /** The newest revision that is older than the window; samples before it are dropped. */
    private long expired(WriteBatch batch, FoldState state, long nowMillis) {
        long cutoff = nowMillis - windowMillis;
        boolean useless =
                oldestRevision < state.floor || (oldestSlot <= cutoff && secondSlot <= cutoff);
        if (useless && oldestSlot != newestSlot && !batch.clears()) {
            dropSamples(batch, state, cutoff);
        }
        return oldestSlot != NONE && oldestSlot <= cutoff ? oldestRevision : 0;
    }

    /** All that cannot be read at, and all that are out of the window but the newest of them. */
    private void dropSamples(WriteBatch batch, FoldState state, long cutoff) {
        try (Snapshot snapshot = engine.snapshot();
                Cursor samples = TimeSamples.from(snapshot, oldestSlot)) {
            for (int left = MAX_DROPPED_SAMPLES; samples.isValid() && left > 0; left--) {
                Bytes key = samples.key();
                oldestSlot = TimeSamples.time(samples);
                oldestRevision = TimeSamples.revision(samples);
                samples.next();
                // The newest one may not be in the snapshot yet: it is looked for again then.
                secondSlot = samples.isValid() ? TimeSamples.time(samples) : NONE;
                boolean drop =
                        secondSlot != NONE
                                && (secondSlot <= cutoff || oldestRevision < state.floor);
                if (!drop) {
                    return;
                }
                TimeSamples.drop(batch, key);
            }
        }
    }
}
