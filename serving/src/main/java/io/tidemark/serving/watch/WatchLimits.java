package io.tidemark.serving.watch;

import io.tidemark.serving.read.PageLimits;

/**
 * How much watching may hold in memory.
 *
 * @param watches open at once; one more is refused with 429
 * @param windowEvents recent events kept by each channel at most, so that watches that come back
 *     soon need not read the store
 * @param windowBytes of such events in all channels together
 * @param mailboxEvents and {@code mailboxBytes}: of one watch; above them it reads on by itself
 * @param page of changes that one partition gives at a time
 */
public record WatchLimits(
        int watches,
        int windowEvents,
        long windowBytes,
        int mailboxEvents,
        long mailboxBytes,
        PageLimits page) {
    /** What all watches that read on by themselves may hold of what they have read. */
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
            throw new IllegalArgumentException("a limit of watching below 1");
        }
    }
}
