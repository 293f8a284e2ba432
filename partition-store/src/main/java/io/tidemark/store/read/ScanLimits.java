package io.tidemark.store.read;

import java.time.Duration;

/**
 * Bounds the work of one read, independently of the limits in its request.
 *
 * @param maxKeys keys that a page of objects visits
 * @param maxBytes bytes of objects that a page visits, selected or not
 * @param longest time that a page of objects or of changes takes
 * @param maxLaterChanges with more changes after a revision than this, a scan at that revision
 *     walks the superseded versions of its range instead of the changes
 * @param maxHistory changes that a page of changes visits, of all prefixes
 */
public record ScanLimits(
        int maxKeys, long maxBytes, Duration longest, int maxLaterChanges, int maxHistory) {
    /** A page visits 5,000 keys, 8 MiB or 20,000 changes at most, and takes a second at most. */
    public static final ScanLimits DEFAULT =
            new ScanLimits(5_000, 8L << 20, Duration.ofSeconds(1), 2_000, 20_000);

    private static final long FEW_KEYS_BYTES = 256 << 10;
    private static final int FEW_LATER_CHANGES = 100;

    /** The same, and so small that a page from memory may hold a carrier of virtual threads. */
    ScanLimits ofFewKeys() {
        return new ScanLimits(
                Math.min(maxKeys, AscendingReads.SEARCHED_FIRST),
                Math.min(maxBytes, FEW_KEYS_BYTES),
                longest,
                Math.min(maxLaterChanges, FEW_LATER_CHANGES),
                maxHistory);
    }
}
