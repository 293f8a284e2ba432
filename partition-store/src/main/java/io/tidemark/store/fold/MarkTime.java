package io.tidemark.store.fold;

import io.tidemark.record.Change.TideMark;

/** Decides between the two times of a mark: the connector's, and the broker's of its record. */
final class MarkTime {
    /** With a greater difference between the two times, the connector's clock is wrong. */
    private static final long MAX_AGE_MILLIS = 300_000;

    /** Bounds how long a mark can wait for a broker, and so how stale that makes the state. */
    private static final long MAX_DELAY_MILLIS = 3_600_000;

    private MarkTime() {}

    /** As of when the mark's state is: a mark that waited for a broker is as of its creation. */
    static long asOf(TideMark mark, long brokerMillis) {
        if (mark.timeMillis() == 0) {
            return brokerMillis;
        }
        long made = Math.max(mark.timeMillis(), brokerMillis - MAX_DELAY_MILLIS);
        return Math.min(made, brokerMillis);
    }

    /** The connector's time, being the same in all partitions; the broker's if that is wrong. */
    static long of(TideMark mark, long brokerMillis) {
        return agree(mark, brokerMillis) ? mark.timeMillis() : brokerMillis;
    }

    private static boolean agree(TideMark mark, long brokerMillis) {
        return Math.abs(mark.timeMillis() - brokerMillis) <= MAX_AGE_MILLIS;
    }

    /**
     * Whether a mark shows that the time of an earlier one was wrong: its two clocks agree, and two
     * marks of which that holds differ by no more than twice what is tolerated.
     */
    static boolean correctsEarlier(TideMark mark, long brokerMillis, long earlierMillis) {
        return agree(mark, brokerMillis) && mark.timeMillis() < earlierMillis - 2 * MAX_AGE_MILLIS;
    }
}
