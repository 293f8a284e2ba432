package io.tidemark.store;

import io.tidemark.record.Change.TideMark;

/** What the two times of a mark say: the connector's own, and the broker's of its record. */
final class MarkTime {
    /** A mark whose own time is further than this from the broker's was made by a wrong clock. */
    private static final long MAX_AGE_MILLIS = 300_000;

    /** No mark is on its way for longer, so no state is taken for older because of that. */
    private static final long MAX_DELAY_MILLIS = 3_600_000;

    private MarkTime() {}

    /** How old what it says is: one that waited for a broker tells what was true when made. */
    static long asOf(TideMark mark, long brokerMillis) {
        if (mark.timeMillis() == 0) {
            return brokerMillis;
        }
        long made = Math.max(mark.timeMillis(), brokerMillis - MAX_DELAY_MILLIS);
        return Math.min(made, brokerMillis);
    }

    /** The connector's time is the same in every partition; the broker's is always there. */
    static long of(TideMark mark, long brokerMillis) {
        boolean sound = Math.abs(mark.timeMillis() - brokerMillis) <= MAX_AGE_MILLIS;
        return sound ? mark.timeMillis() : brokerMillis;
    }
}
