package io.tidemark.store;

/**
 * How much one read looks at, whatever its request allows to be returned.
 *
 * @param maxKeys a page of objects ends after looking at this many keys
 * @param maxLaterChanges with more changes after a revision than this, a scan at that revision
 *     walks the superseded versions of its range instead of the changes
 * @param maxHistory a page of changes begins no further revision after looking at this many
 */
record ScanLimits(int maxKeys, int maxLaterChanges, int maxHistory) {
    static final ScanLimits DEFAULT = new ScanLimits(5_000, 2_000, 20_000);
}
