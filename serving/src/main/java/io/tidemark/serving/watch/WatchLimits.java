package io.tidemark.serving.watch;

import io.tidemark.serving.read.PageLimits;

/**
 * Memory limits of watches.
 *
 * @param watches open at once; one more is refused with 429
 * @param windowEvents recent events that each dispatcher keeps at most, so that watches that resume
 *     soon need not read the store
 * @param windowBytes bytes of such events of all dispatchers together
 * @param mailboxEvents and {@code mailboxBytes}: of one watch; above them it catches up from the
 *     store
 * @param page page size of a partition's changes
 */
public record WatchLimits(
        int watches,
        int windowEvents,
        long windowBytes,
        int mailboxEvents,
        long mailboxBytes,
        PageLimits page) {
    /** Bytes that all watches that are catching up may hold together. */
    long catchUpBytes() {
        return windowBytes;
    }

    /** The same with another number of watches. */
    public WatchLimits withWatches(int most) {
        return new WatchLimits(most, windowEvents, windowBytes, mailboxEvents, mailboxBytes, page);
    }

    public WatchLimits {
        if (watches < 1
                || windowEvents < 1
                || windowBytes < 1
                || mailboxEvents < 1
                || mailboxBytes < 1) {
            throw new IllegalArgumentException("watch limits must be at least 1");
        }
    }
}
