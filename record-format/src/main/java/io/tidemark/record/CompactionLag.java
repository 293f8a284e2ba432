package io.tidemark.record;

import java.time.Duration;

/**
 * How long a reader may rely on the topic's compaction lag. Kafka's cleaner keeps records younger
 * than the lag, by the broker's clock; a reader has another clock, and relies on a little less.
 */
public final class CompactionLag {
    /** Largest allowance for clock skew. */
    private static final long MAX_MARGIN_MILLIS = 60_000;

    private CompactionLag() {}

    /**
     * Tolerated clock skew between broker and reader, in milliseconds: a minute, or a tenth of the
     * lag when that is less.
     */
    public static long marginMillis(Duration lag) {
        return Math.min(MAX_MARGIN_MILLIS, lag.toMillis() / 10);
    }

    /** Up to this age by the reader's clock, in milliseconds, no record was compacted. */
    public static long trustedMillis(Duration lag) {
        return lag.toMillis() - marginMillis(lag);
    }
}
