package io.tidemark.view;

import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.UnreadableRequest;

/**
 * The state of one replica of a partition.
 *
 * @param ready false while the replica is being restored, or before its first list is complete:
 *     reads then answer {@link ReadOutcome.ReplicaUnavailable}
 * @param epoch the epoch of its revisions, 0 before the first mark
 * @param clusterId etcd's cluster id, from the newest mark
 * @param floor oldest revision that can be read, or from which a watch can resume
 * @param watermark every change through this revision is applied
 * @param lastChangeRevision no change lies between it and the watermark: a reader at or above it
 *     need not ask. May be above the watermark, for changes that are not readable yet
 * @param appliedOffset topic offset of the last applied record, -1 for none
 * @param markTimeMillis when the newest mark was made, at the latest when the broker got it: the
 *     state is etcd's as of then
 * @param unreadable how many keys' newest version should be an object and is unreadable; see {@link
 *     UnreadableRequest}
 * @param connector address for barriers, from the newest mark; empty when unknown
 * @param gap the newest bridged gap above the floor
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
        String connector,
        BridgedGap gap) {
    /** No record applied yet. */
    public static final PartitionState EMPTY =
            new PartitionState(false, 0, 0, 0, 0, 0, -1, 0, 0, "");

    /** A state of a history without a bridged gap. */
    public PartitionState(
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
        this(
                ready,
                epoch,
                clusterId,
                floor,
                watermark,
                lastChangeRevision,
                appliedOffset,
                markTimeMillis,
                unreadable,
                connector,
                BridgedGap.NONE);
    }

    /** The same after another gap. */
    public PartitionState with(BridgedGap other) {
        return new PartitionState(
                ready,
                epoch,
                clusterId,
                floor,
                watermark,
                lastChangeRevision,
                appliedOffset,
                markTimeMillis,
                unreadable,
                connector,
                other);
    }

    /** Whether the replica has every change after a revision of an epoch, through its watermark. */
    public boolean hasChangesAfter(long inEpoch, long afterRevision) {
        return ready && epoch == inEpoch && floor <= afterRevision;
    }

    /**
     * Whether this state alone shows that there are no changes after one revision and through
     * another.
     */
    public boolean hasNoChanges(long inEpoch, long afterRevision, long throughRevision) {
        return hasChangesAfter(inEpoch, afterRevision)
                && lastChangeRevision <= afterRevision
                && watermark >= throughRevision;
    }
}
