package io.tidemark.digest;

import io.tidemark.record.Bytes;

/**
 * A digest of a set of keys and their revisions: independent of the order in which keys are added,
 * and additive over disjoint sets. Two different sets have the same digest with a probability of
 * 2^-128; the hash protects against accidents, not against forgery.
 *
 * @param keys number of keys
 * @param high and {@code low}: sums, modulo 2^64 each, of two independent hashes per key
 */
public record KeyDigest(long keys, long high, long low) {
    public static final KeyDigest NONE = new KeyDigest(0, 0, 0);

    private static final long SEED_HIGH = 0x6a09e667f3bcc908L;
    private static final long SEED_LOW = 0xbb67ae8584caa73bL;
    private static final long ODD_1 = 0x9e3779b97f4a7c15L;
    private static final long ODD_2 = 0xbf58476d1ce4e5b9L;
    private static final long ODD_3 = 0x94d049bb133111ebL;

    /** The digest of one key. */
    public static KeyDigest of(Bytes key, long modRevision) {
        return new KeyDigest(
                1, hash(SEED_HIGH, key, modRevision), hash(SEED_LOW, key, modRevision));
    }

    public KeyDigest plus(KeyDigest other) {
        return new KeyDigest(keys + other.keys, high + other.high, low + other.low);
    }

    private static long hash(long seed, Bytes key, long modRevision) {
        byte[] bytes = key.array();
        long hash = step(step(seed, modRevision), bytes.length);
        long word = 0;
        for (int i = 0; i < bytes.length; i++) {
            word = word << 8 | (bytes[i] & 0xff);
            if ((i & 7) == 7) {
                hash = step(hash, word);
                word = 0;
            }
        }
        return mixed(step(hash, word));
    }

    private static long step(long hash, long word) {
        return Long.rotateLeft(hash ^ mixed(word + ODD_1), 27) * ODD_1 + ODD_3;
    }

    /** Every bit of the argument changes about half of the bits of the result. */
    private static long mixed(long word) {
        long z = (word ^ (word >>> 30)) * ODD_2;
        z = (z ^ (z >>> 27)) * ODD_3;
        return z ^ (z >>> 31);
    }

    /** The two sums as text. */
    public String hex() {
        return "%016x%016x".formatted(high, low);
    }

    /**
     * @param hex as written by {@link #hex}
     * @throws IllegalArgumentException when it is malformed
     */
    public static KeyDigest parse(long keys, String hex) {
        if (hex.length() != 32) {
            throw new IllegalArgumentException("not a digest: " + hex);
        }
        return new KeyDigest(
                keys,
                Long.parseUnsignedLong(hex, 0, 16, 16),
                Long.parseUnsignedLong(hex, 16, 32, 16));
    }

    /** Accumulates keys; single-threaded. */
    public static final class Sum {
        private long keys;
        private long high;
        private long low;

        public void add(Bytes key, long modRevision) {
            keys++;
            high += hash(SEED_HIGH, key, modRevision);
            low += hash(SEED_LOW, key, modRevision);
        }

        public KeyDigest digest() {
            return new KeyDigest(keys, high, low);
        }
    }
}
