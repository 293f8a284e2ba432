package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.BridgedGap;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;

/**
 * The joint status of a set of partitions.
 *
 * @param missingPartition a partition without any reachable replica; -1 for none
 * @param ready whether all are readable and in the same revision history
 * @param epoch their revision history; the lowest one while they disagree
 * @param clusterId of the etcd that the first of them is of; unsigned
 * @param floor the highest of their floors: some changes below it are compacted
 * @param settledFrom the joint state is one that etcd had from this revision on: the floor, or the
 *     end of a bridged gap which some of them have passed while the watermark is inside it
 * @param watermark the lowest of their watermarks: every change through it is applied
 * @param asOfMillis the time of the oldest of their newest tide marks: the state is etcd's as of
 *     then
 * @param unreadable number of keys whose value should be an object but cannot be parsed
 * @param connector address of the connector to take barriers from; empty when unknown
 */
public record PartitionSetStatus(
        int missingPartition,
        boolean ready,
        long epoch,
        long clusterId,
        long floor,
        long settledFrom,
        long watermark,
        long asOfMillis,
        long unreadable,
        String connector) {
    /** The current status of some partitions; does not wait. */
    public static PartitionSetStatus of(PartitionSet partitions, PartitionDirectory directory) {
        PartitionState[] states = new PartitionState[partitions.endExclusive()];
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            states[p] = directory.view(p).state();
        }
        return of(partitions, states);
    }

    static PartitionSetStatus of(PartitionSet partitions, PartitionState[] states) {
        int missingPartition = -1;
        boolean ready = true;
        PartitionState first = states[partitions.first()];
        long epoch = first.epoch();
        long floor = first.floor();
        long watermark = first.watermark();
        long asOfMillis = first.markTimeMillis();
        long unreadable = 0;
        PartitionState newestMark = first;
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            PartitionState state = states[p];
            if (state.equals(PartitionState.EMPTY)) {
                missingPartition = p;
            }
            ready &= state.ready() && state.epoch() == first.epoch();
            epoch = Math.min(epoch, state.epoch());
            floor = Math.max(floor, state.floor());
            watermark = Math.min(watermark, state.watermark());
            unreadable += state.unreadable();
            asOfMillis = Math.min(asOfMillis, state.markTimeMillis());
            if (state.markTimeMillis() > newestMark.markTimeMillis()) {
                newestMark = state;
            }
        }
        long settledFrom = floor;
        for (int p = partitions.first(); p < partitions.endExclusive(); p++) {
            BridgedGap gap = states[p].gap();
            if (gap.contains(watermark)) {
                settledFrom = Math.max(settledFrom, gap.through());
            }
        }
        return new PartitionSetStatus(
                missingPartition,
                ready,
                epoch,
                first.clusterId(),
                floor,
                settledFrom,
                watermark,
                asOfMillis,
                unreadable,
                newestMark.connector());
    }

    /** Whether the state at the watermark is readable in all of them. */
    public boolean hasCommonRevision() {
        return settledFrom <= watermark;
    }

    /** Whether they have applied a revision of a history, or are in a later history. */
    public boolean reached(long targetEpoch, long revision) {
        return ready && (epoch > targetEpoch || (epoch == targetEpoch && watermark >= revision));
    }

    /**
     * @throws StatusException 503 when a partition is missing, 429 when one is not ready
     */
    public PartitionSetStatus orThrow() {
        if (ready) {
            return this;
        }
        if (missingPartition >= 0) {
            throw StatusErrors.partitionUnavailable(missingPartition, "no replica is reachable");
        }
        throw StatusErrors.initializing();
    }
}
