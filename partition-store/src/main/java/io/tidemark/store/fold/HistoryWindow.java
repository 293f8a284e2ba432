package io.tidemark.store.fold;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Cursor;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.HistoryEntry;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.layout.TimeSamples;

/**
 * Keeps the history within its bounds of time and bytes: drops the oldest changes, with the
 * versions that only they kept, and raises the floor above them. The floor rises only over dropped
 * changes, so a watch on a quiet partition can resume at any age.
 *
 * <p>The age of a revision comes from {@link TimeSamples}, which this class writes and drops.
 */
final class HistoryWindow {
    private static final int MIN_CHUNK = 1000;

    /** Changes that one {@link #trim} catches up with: bounds the batch. */
    static final int MOST_ADDED = 10_000;

    /** Samples dropped in one step; the next marks drop the rest. */
    private static final int MAX_DROPPED_SAMPLES = 10_000;

    private static final long NONE = -1;

    private final KeyValueEngine engine;
    private final long windowMillis;
    private final long maxBytes;
    private final long slotMillis;

    // Cached from the engine's samples, because every mark needs them.
    private long newestSlot = NONE;
    private long newestRevision = NONE;
    private long oldestSlot = NONE;
    private long oldestRevision = NONE;

    /** The sample after the oldest; {@link #NONE} when unknown. */
    private long secondSlot = NONE;

    /** Everything in {@code history} below this has been dropped. */
    private Bytes trimmedTo = Bytes.EMPTY;

    /** Every change at or below this revision has been dropped from {@code history}. */
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

    /**
     * Drops the samples after a time, which is earlier than that of the last one: the next one
     * counts instead. For a record that shows that earlier ones had wrong times.
     */
    void dropSamplesAfter(WriteBatch batch, long timeMillis) {
        long last = TimeSamples.slotOf(timeMillis, slotMillis);
        if (newestSlot <= last || batch.clears()) {
            return;
        }
        clearSamples();
        try (Snapshot snapshot = engine.snapshot();
                Cursor samples = TimeSamples.all(snapshot)) {
            for (; samples.isValid(); samples.next()) {
                if (TimeSamples.time(samples) > last) {
                    TimeSamples.drop(batch, samples.key());
                } else {
                    sampled(TimeSamples.time(samples), TimeSamples.revision(samples));
                }
            }
        }
    }

    private void clearSamples() {
        newestSlot = NONE;
        newestRevision = NONE;
        oldestSlot = NONE;
        oldestRevision = NONE;
        secondSlot = NONE;
    }

    /** Forgets everything; the engine's content is cleared by the caller. */
    void clear() {
        clearSamples();
        trimmedTo = Bytes.EMPTY;
        trimmedThroughRevision = -1;
    }

    /**
     * Records that the watermark had reached {@code revision} by {@code timeMillis}.
     *
     * @param timeMillis never below that of an earlier call whose sample was not dropped
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
     * than were added since the last call, so that it always catches up.
     *
     * @param added changes added to the history and not yet passed to a call, at most {@link
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
            state.floor = state.bridgedThrough();
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

    /** The newest revision older than the window; drops the samples before it. */
    private long expired(WriteBatch batch, FoldState state, long nowMillis) {
        long cutoff = nowMillis - windowMillis;
        boolean obsolete =
                oldestRevision < state.floor || (oldestSlot <= cutoff && secondSlot <= cutoff);
        if (obsolete && oldestSlot != newestSlot && !batch.clears()) {
            dropSamples(batch, state, cutoff);
        }
        return oldestSlot != NONE && oldestSlot <= cutoff ? oldestRevision : 0;
    }

    /** Drops samples below the floor, and all but the newest of those out of the window. */
    private void dropSamples(WriteBatch batch, FoldState state, long cutoff) {
        try (Snapshot snapshot = engine.snapshot();
                Cursor samples = TimeSamples.from(snapshot, oldestSlot)) {
            for (int left = MAX_DROPPED_SAMPLES; samples.isValid() && left > 0; left--) {
                Bytes key = samples.key();
                oldestSlot = TimeSamples.time(samples);
                oldestRevision = TimeSamples.revision(samples);
                samples.next();
                // The newest one may not be in the snapshot yet: the next call looks again.
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
