package io.tidemark.nodeauth;

import java.util.BitSet;

/**
 * Which numbers of a session have been used: each is taken once, in any order, as long as it is not
 * {@link #SIZE} below the highest.
 */
final class ReplayWindow {
    /** More than a node has requests on their way to another one. */
    static final int SIZE = 4_096;

    private final BitSet used = new BitSet(SIZE);
    private long highest;

    /** Whether the number is used for the first time. */
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
