package io.tidemark.chaos.fault;

import io.tidemark.chaos.client.Availability;

/**
 * What one fault did to those who watch and read.
 *
 * @param what in words, with the names of the processes
 * @param atSeconds since the run began
 * @param heldMillis how long it was kept up on purpose
 * @param pauseHitMillis the longest way of a write to a watcher whose own node was hit
 * @param pauseOthersMillis the same for all the others
 * @param recoveryMillis from its end until the cluster was whole again
 * @param reads that were answered or not meanwhile
 * @param missing what was still missing when the run gave up; empty when it was whole
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
