package io.tidemark.connector.metrics;

/**
 * Gaps that were crossed since the start: etcd had compacted changes before they were read.
 *
 * @param count how many
 * @param lastFrom the revision through which all was mirrored before the last one; 0 for none
 * @param lastFloor the revision from which all is mirrored after it
 * @param lastWritten keys that were written then
 * @param lastDeleted keys that were deleted then
 * @param lastMillis how long it took, from comparing to the commit
 */
public record GapReport(
        long count,
        long lastFrom,
        long lastFloor,
        long lastWritten,
        long lastDeleted,
        long lastMillis) {
    public static final GapReport NONE = new GapReport(0, 0, 0, 0, 0, 0);

    /** For people. */
    public String text() {
        return count == 0
                ? "none"
                : "%d crossed; the last lost what happened between revisions %d and %d: %d keys written, %d deleted, %d ms"
                        .formatted(
                                count, lastFrom, lastFloor, lastWritten, lastDeleted, lastMillis);
    }
}
