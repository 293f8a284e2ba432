package io.tidemark.query.seats;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How many seats a request takes: one for each 100 kB that the last equal request has loaded, and
 * ten at most, as API servers weigh lists. What is not known takes one. The table has a fixed size,
 * so requests that are equal by their hash only share an estimate. Thread-safe.
 */
public final class SeatCosts {
    static final int MOST = 10;
    private static final long BYTES_PER_SEAT = 100_000;
    private static final int SLOTS = 1 << 12;

    private final AtomicIntegerArray last = new AtomicIntegerArray(SLOTS);

    /**
     * @param kind hash of what is asked for
     */
    public int of(int kind) {
        return Math.max(1, last.get(slot(kind)));
    }

    /**
     * A request has ended.
     *
     * @param bytes that were read for it, also those that were not sent
     */
    public void learn(int kind, long bytes) {
        last.set(slot(kind), seats(bytes));
    }

    static int seats(long bytes) {
        return (int) Math.clamp((bytes + BYTES_PER_SEAT - 1) / BYTES_PER_SEAT, 1, MOST);
    }

    /** Mixes the bits: hashes of similar texts differ in few. */
    private static int slot(int kind) {
        int mixed = kind * 0x9e3779b9;
        return (mixed >>> 16) & (SLOTS - 1);
    }
}
