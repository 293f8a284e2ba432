package io.tidemark.nodeauth;

import java.util.BitSet;

/**
 * Accepts each request number of a session once, in any order, unless it is {@link #SIZE} or more
 * below the highest.
 */
final class ReplayWindow {
    /** More than the requests that a node has in flight to another one. */
    static final int SIZE = 4_096;

    private final BitSet used = new BitSet(SIZE);
    private long highest;

    /** Whether this is the number's first use. */
    synchronized boolean take(long number) {
        if (number < 1 || number <= highest - SIZE) {
            return false;
        }
        if (number > highest) {
            clear(highest + 1, number);
            highest = number;
        }
        int slot = (int) (number % SIZE);
        boolean before = used.get(slot);
        used.set(slot);
        return !before;
    }

    private void clear(long from, long through) {
        if (through - from >= SIZE) {
            used.clear();
            return;
        }
        for (long number = from; number <= through; number++) {
            used.clear((int) (number % SIZE));
        }
    }
}
