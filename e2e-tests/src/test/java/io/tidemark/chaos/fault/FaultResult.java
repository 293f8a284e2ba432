package io.tidemark.chaos.fault;

import io.tidemark.chaos.client.Availability;

/**
 * One fault's effect on watchers and readers.
 *
 * @param what in words, with the names of the processes
 * @param atSeconds since the run began
 * @param heldMillis how long it was kept up on purpose
 * @param pauseHitMillis the longest delay of a write to a watcher whose own node was hit
 * @param pauseOthersMillis the same for all the others
 * @param recoveryMillis from its end until the cluster was healthy again
 * @param reads answered or failed meanwhile
 * @param missing what was still missing when the run gave up; empty when it was healthy
 */
public record FaultResult(
        FaultKind kind,
        String what,
        long atSeconds,
        long heldMillis,
        long pauseHitMillis,
        long pauseOthersMillis,
        long recoveryMillis,
        Availability.Counts reads,
        String missing) {}
