package io.tidemark.record;

import java.time.Duration;

/**
 * What the topic's compaction lag is worth to who reads the topic. Kafka's cleaner leaves records
 * alone that are younger than the lag, by the broker's clock; a reader has another clock, and so
 * trusts in a little less.
 */
public final class CompactionLag {
    /** Largest allowance for clocks that differ. */
    private static final long MAX_MARGIN_MILLIS = 60_000;

    private CompactionLag() {}

    /**
     * How much the clocks of broker and reader may differ without a loss, in milliseconds: a
     * minute, or a tenth of the lag when that is less.
     */
    public static long marginMillis(Duration lag) {
        return Math.min(MAX_MARGIN_MILLIS, lag.toMillis() / 10);
    }

    /** Up to this age by the reader's clock, in milliseconds, no record was cleaned for sure. */
    public static long trustedMillis(Duration lag) {
        return lag.toMillis() - marginMillis(lag);
    }
}
