package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.KeyValueEngine.Cursor;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.store.KeyValueEngine.Snapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps the history within its bounds of time and bytes: drops the oldest changes, with the
 * versions that only they kept alive, and raises the floor over them. A floor only rises over
 * changes that are dropped, so a quiet partition can be watched from where it was left, however
 * long ago.
 *
 * <p>What a revision's age is, it knows from samples: (append time of a mark, its revision).
 */
final class HistoryWindow {
    private static final int SAMPLES_PER_WINDOW = 2160;
    private static final int MIN_CHUNK = 1000;

    private final KeyValueEngine engine;
    private final long windowMillis;
    private final long maxBytes;
    private final long sampleIntervalMillis;
    private final Deque<Sample> samples = new ArrayDeque<>();

    /** Everything in {@code history} below this is gone. */
    private Bytes trimmedTo = Bytes.EMPTY;

    /** Every change at or below this revision is gone from {@code history}. */
    private long trimmedThroughRevision = -1;

    private record Sample(long timeMillis, long revision) {}

    HistoryWindow(KeyValueEngine engine, StoreSettings settings) {
        this.engine = engine;
        this.windowMillis = settings.historyWindow().toMillis();
        this.maxBytes = settings.maxHistoryBytes();
        this.sampleIntervalMillis =
                Math.max(1, Duration.ofMillis(windowMillis / SAMPLES_PER_WINDOW).toMillis());
        try (Snapshot snapshot = engine.snapshot();
                Cursor cursor =
                        snapshot.scan(
                                Family.META,
                                KeyLayout.SAMPLES_FROM,
                                KeyLayout.SAMPLES_FROM.prefixEnd())) {
            for (; cursor.isValid(); cursor.next()) {
                samples.add(
                        new Sample(
                                KeyLayout.timeOfSample(cursor.key()),
                                KeyLayout.number(cursor.value())));
            }
        }
    }

    /** Everything before is void. */
    void clear() {
        samples.clear();
        trimmedTo = Bytes.EMPTY;
        trimmedThroughRevision = -1;
    }

    /** Notes that everything through {@code revision} had been appended by {@code timeMillis}. */
    void sample(WriteBatch batch, long timeMillis, long revision) {
        Sample last = samples.peekLast();
        if (last == null || timeMillis >= last.timeMillis() + sampleIntervalMillis) {
            samples.add(new Sample(timeMillis, revision));
            batch.put(Family.META, KeyLayout.sample(timeMillis), KeyLayout.number(revision));
        }
    }

    /**
     * Drops what is out of bounds, some at a time: at least {@link #MIN_CHUNK} changes, and more
     * than were added since the last time, so that it never falls behind for good.
     *
     * @param added changes added to the history since the last call
     */
    void trim(WriteBatch batch, FoldState state, long nowMillis, int added) {
        long throughRevision =
                Math.min(state.watermark, Math.max(state.floor, expired(batch, nowMillis)));
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
    private long expired(WriteBatch batch, long nowMillis) {
        long cutoff = nowMillis - windowMillis;
        Sample oldest = samples.peekFirst();
        if (oldest == null || oldest.timeMillis() > cutoff) {
            return 0;
        }
        samples.removeFirst();
        for (Sample next = samples.peekFirst();
                next != null && next.timeMillis() <= cutoff;
                next = samples.peekFirst()) {
            batch.delete(Family.META, KeyLayout.sample(oldest.timeMillis()));
            oldest = samples.removeFirst();
        }
        samples.addFirst(oldest);
        return oldest.revision();
    }
}
