package io.tidemark.authorization;

import java.util.Collection;

/**
 * Says of most names outside a set that they are not in it, by one bit of their hash. Immutable. It
 * takes 8 to 16 bits a name.
 */
final class NameFilter {
    private static final int BITS_PER_NAME = 8;

    private final long[] bits;
    private final int shift;

    NameFilter(Collection<String> names) {
        int wanted = Math.max(Long.SIZE, names.size() * BITS_PER_NAME);
        int size = Integer.SIZE - Integer.numberOfLeadingZeros(wanted - 1);
        shift = Integer.SIZE - size;
        bits = new long[1 << size - 6];
        for (String name : names) {
            int at = place(name);
            bits[at >>> 6] |= 1L << at;
        }
    }

    boolean mayHave(String name) {
        int at = place(name);
        return (bits[at >>> 6] & 1L << at) != 0;
    }

    private int place(String name) {
        return name.hashCode() * 0x9E3779B9 >>> shift;
    }
}
