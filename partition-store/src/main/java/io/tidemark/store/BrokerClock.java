package io.tidemark.store;

import java.time.InstantSource;

/**
 * The broker's time, never too early as far as clocks differ by no more than a margin: by it the
 * age of records is judged, and who takes an old one for a young one trusts what compaction may
 * have taken.
 *
 * <p>This machine's clock may be ahead of the broker's by far more. What was appended after this
 * clock showed T has a time of the broker's that is not before that moment: when it is before T,
 * this clock is ahead by the difference at least. Newest times of the topic alone would not do: a
 * topic that is read again from its beginning, or to which nothing was written for long, says
 * nothing of how late it is. For one thread.
 */
final class BrokerClock {
    private static final long NONE = Long.MAX_VALUE;

    private final InstantSource own;
    private final long marginMillis;

    /** What is at or above it was appended after {@code seenMillis}. */
    private long endOffset = NONE;

    private long seenMillis;
    private long aheadMillis;

    /**
     * @param marginMillis by how much clocks may differ and count as right, and how long a record
     *     may be under way between the brokers
     */
    BrokerClock(InstantSource own, long marginMillis) {
        this.own = own;
        this.marginMillis = marginMillis;
    }

    /**
     * The topic ended there.
     *
     * @param askedMillis what this machine's clock showed before it was asked for its end
     */
    void observeEnd(long atOffset, long askedMillis) {
        endOffset = atOffset;
        seenMillis = askedMillis;
    }

    /** A record has been read. */
    void observeRecord(long offset, long timestampMillis) {
        if (offset >= endOffset) {
            endOffset = NONE;
            long least = seenMillis - timestampMillis;
            aheadMillis = least > marginMillis ? least - marginMillis : 0;
        }
    }

    /**
     * At least the broker's time, but for the margin.
     *
     * @param newestMillis the newest time of the broker's that is known
     */
    long millis(long newestMillis) {
        long now = own.millis();
        if (now - aheadMillis < newestMillis - marginMillis) {
            aheadMillis = 0; // It has been set right since.
        }
        return Math.max(now - aheadMillis, newestMillis);
    }
}
