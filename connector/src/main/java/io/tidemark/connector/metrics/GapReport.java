package io.tidemark.connector.metrics;

/**
 * Gaps reconciled since the start: etcd had compacted changes before they were read.
 *
 * @param count number of gaps
 * @param lastFrom the revision through which everything was mirrored before the last gap; 0 for
 *     none
 * @param lastFloor the floor after it: the revision from which everything is mirrored
 * @param lastWritten keys written for it
 * @param lastDeleted keys deleted for it
 * @param lastMillis how long it took, from the comparison to the commit
 */
public record GapReport(
        long count,
        long lastFrom,
        long lastFloor,
        long lastWritten,
        long lastDeleted,
        long lastMillis) {
    public static final GapReport NONE = new GapReport(0, 0, 0, 0, 0, 0);

    /** Text for people. */
    public String text() {
        return count == 0
                ? "none"
                : "%d reconciled; the last: revisions (%d, %d] lost; %d puts, %d deletes, %d ms"
                        .formatted(
                                count, lastFrom, lastFloor, lastWritten, lastDeleted, lastMillis);
    }
}
