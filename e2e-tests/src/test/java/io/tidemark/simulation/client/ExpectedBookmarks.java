package io.tidemark.simulation.client;

import java.util.Optional;

/**
 * When a watch must have sent its bookmarks, by the documented rule: at an interval, and once in
 * the last two seconds, if it knows of more than when it was opened. Times are nanoseconds.
 */
final class ExpectedBookmarks {
    private static final long BEFORE_END = 2_000_000_000L;

    /** So often a watch may look at the same revision while its node knows of a newer one. */
    private static final int MOST_LOOKS = 20;

    private static final long LONGEST_LAG = 3_000_000_000L;

    private final long interval;
    private final long last;
    private final long opened;

    /** Since when one is awaited: the last one, or when there was nothing to say last. */
    private long since;

    private long proven;

    /** Since when its node knows of more than it has reached. */
    private long behindSince;

    private int looks;
    private boolean progressed;

    /**
     * @param opened the newest revision that the node knew when it opened the watch, or that the
     *     watch begins after, if that is higher
     */
    ExpectedBookmarks(long now, long interval, long deadline, long opened) {
        this.interval = interval;
        this.last = deadline - BEFORE_END;
        this.opened = opened;
        this.since = now;
    }

    /**
     * The watch has done one turn between two revisions.
     *
     * @param through every event at or below this has been sent
     * @param sent whether the turn sent a bookmark
     * @return which one is overdue
     */
    Optional<String> turn(long now, long through, boolean sent) {
        if (through > proven) {
            proven = through;
            looks = 0;
        }
        progressed = through >= proven && proven > opened;
        long due = Math.min(since + interval, last);
        boolean overdue = progressed && !sent && since < last && now >= due;
        if (sent || !progressed) {
            since = now;
        }
        return overdue
                ? Optional.of(
                        "no bookmark for %d ms, though all through %d was sent"
                                .formatted((now - since) / 1_000_000, proven))
                : Optional.empty();
    }

    /** The node has ended the watch; the arguments are as of {@link #turn}. */
    Optional<String> end(boolean sent) {
        return progressed && !sent
                ? Optional.of("it ended without a bookmark at " + proven)
                : Optional.empty();
    }

    /**
     * The watch found no events in a world without faults.
     *
     * @param known the watermark that its node knows
     * @return why no bookmark for it can come
     */
    Optional<String> quiet(long now, long known) {
        if (known <= proven) {
            looks = 0;
            return Optional.empty();
        }
        behindSince = looks++ == 0 ? now : behindSince;
        return looks > MOST_LOOKS && now - behindSince > LONGEST_LAG
                ? Optional.of("it stays at %d, though its node is at %d".formatted(proven, known))
                : Optional.empty();
    }
}
