package io.tidemark.store.fold;

import java.time.InstantSource;

/**
 * Estimates the broker's time from this machine's clock: never too early, as long as the clocks
 * differ by at most a margin. The age of records is judged by it, and taking an old record for a
 * young one would mean trusting a part of the topic that compaction may have reached.
 *
 * <p>This machine's clock may be ahead of the broker's by far more than the margin. A record that
 * was appended after this clock showed T has a broker's time not before that moment: when that time
 * is before T, this clock is ahead by at least the difference. The newest time in the topic alone
 * would not do: a topic that is read again from its beginning, or had no writes for long, tells
 * nothing about the broker's present time. For one thread.
 */
public final class BrokerClock {
    private static final long NONE = Long.MAX_VALUE;

    private final InstantSource own;
    private final long marginMillis;

    /** Records from this offset on were appended after {@code seenMillis}. */
    private long endOffset = NONE;

    private long seenMillis;
    private long aheadMillis;

    /**
     * @param marginMillis by how much correct clocks may differ, and how long a record may take
     *     between the brokers
     */
    BrokerClock(InstantSource own, long marginMillis) {
        this.own = own;
        this.marginMillis = marginMillis;
    }

    /**
     * Takes the topic's end offset.
     *
     * @param askedMillis what this machine's clock showed before the request for the end offset
     */
    public void observeEnd(long atOffset, long askedMillis) {
        endOffset = atOffset;
        seenMillis = askedMillis;
    }

    /** Takes the offset and time of a record that was read. */
    void observeRecord(long offset, long timestampMillis) {
        if (offset >= endOffset) {
            endOffset = NONE;
            long least = seenMillis - timestampMillis;
            aheadMillis = least > marginMillis ? least - marginMillis : 0;
        }
    }

    /**
     * At least the broker's time, minus the margin.
     *
     * @param newestMillis the newest known broker's time
     */
    long millis(long newestMillis) {
        long now = own.millis();
        if (now - aheadMillis < newestMillis - marginMillis) {
            aheadMillis = 0; // The clock has been corrected since.
        }
        return Math.max(now - aheadMillis, newestMillis);
    }
}
