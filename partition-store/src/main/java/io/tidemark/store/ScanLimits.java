package io.tidemark.store;

import java.time.Duration;

/**
 * How much one read looks at, whatever its request allows to be returned.
 *
 * @param maxKeys a page of objects ends after looking at this many keys
 * @param maxBytes a page of objects ends after looking at so many bytes of them, selected or not
 * @param longest a page of objects or of changes ends when it has been read for this long
 * @param maxLaterChanges with more changes after a revision than this, a scan at that revision
 *     walks the superseded versions of its range instead of the changes
 * @param maxHistory a page of changes ends after looking at this many, of whatever prefix
 */
record ScanLimits(
        int maxKeys, long maxBytes, Duration longest, int maxLaterChanges, int maxHistory) {
    static final ScanLimits DEFAULT =
            new ScanLimits(5_000, 8L << 20, Duration.ofSeconds(1), 2_000, 20_000);
}
