package io.tidemark.view;

/**
 * Where one copy of a partition stands.
 *
 * @param ready false while it is still being restored, or before its first list is complete: reads
 *     then answer {@link ReadOutcome.ReplicaUnavailable}
 * @param epoch the revision history it holds, 0 before the first mark
 * @param clusterId etcd's cluster id, from the newest mark
 * @param floor oldest revision that a watch may resume from and a read may ask for
 * @param watermark all changes at or below it are applied here
 * @param lastChangeRevision no change between it and the watermark: who has read through it need
 *     not ask. May be above the watermark, of changes that are not shown yet
 * @param appliedOffset topic offset of the last applied record, -1 for none
 * @param markTimeMillis when the newest mark was made, and no later than the broker got it: the
 *     state is etcd's as of then
 * @param unreadable how many keys hold, after every change that was applied, what should be an
 *     object and cannot be read; see {@link PartitionView#unreadable}
 * @param connector where barriers are taken, from the newest mark; empty when unknown
 */
public record PartitionState(
        boolean ready,
        long epoch,
        long clusterId,
        long floor,
        long watermark,
        long lastChangeRevision,
        long appliedOffset,
        long markTimeMillis,
        long unreadable,
        String connector) {
    /** Nothing read yet. */
    public static final PartitionState EMPTY =
            new PartitionState(false, 0, 0, 0, 0, 0, -1, 0, 0, "");

    /**
     * Whether it is known from this alone that a read of the changes after one revision and through
     * another finds none.
     */
    public boolean hasNoChanges(long inEpoch, long afterRevision, long throughRevision) {
        return ready
                && epoch == inEpoch
                && floor <= afterRevision
                && lastChangeRevision <= afterRevision
                && watermark >= throughRevision;
    }
}
