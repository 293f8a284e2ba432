package io.tidemark.serving.read;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.PartitionState;

/**
 * How far a set of partitions has come, taken together.
 *
 * @param missingPartition a partition that cannot be read from here at all; -1 for none
 * @param ready whether all can be read, and hold the same revision history
 * @param epoch that history; the lowest one while partitions disagree
 * @param floor the highest of their floors: below it something is gone
 * @param watermark the lowest of their watermarks: through it everything is here
 * @param asOfMillis the oldest of their newest marks: the state is etcd's as of then
 * @param unreadable how many keys of them hold what should be an object and cannot be read
 * @param connector where barriers are taken; empty when unknown
 */
public record PartitionSetStatus(
        int missingPartition,
        boolean ready,
        long epoch,
        long floor,
        long watermark,
        long asOfMillis,
        long unreadable,
        String connector) {
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
        return new PartitionSetStatus(
                missingPartition,
                ready,
                epoch,
                floor,
                watermark,
                asOfMillis,
                unreadable,
                newestMark.connector());
    }

    /** Whether there is a revision that all of them can be read at. */
    public boolean hasCommonRevision() {
        return floor <= watermark;
    }

    /** Whether everything through a revision of a history, or of a later history, is here. */
    boolean reached(long wantedEpoch, long revision) {
        return ready && (epoch > wantedEpoch || (epoch == wantedEpoch && watermark >= revision));
    }

    /**
     * @throws StatusException 503 when a partition is missing, 429 when one is not ready
     */
    public PartitionSetStatus orThrow() {
        if (ready) {
            return this;
        }
        if (missingPartition >= 0) {
            throw StatusErrors.partitionUnavailable(missingPartition, "no copy of it is here");
        }
        throw StatusErrors.initializing();
    }
}
