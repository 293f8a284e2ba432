package io.tidemark.chaos.report;

import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.simulation.promise.Violation;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param writesFailed writes without an answer; they may have happened
 * @param events that watchers received
 * @param gone unjustified ERROR 410s; each makes a relist
 * @param tooOld justified ERROR 410s
 * @param readsJudged lists and gets that were checked against the truth
 * @param readsFailed how often for which reason
 * @param slowestReadMillis with its retry
 */
public record ChaosReport(
        long seed,
        long seconds,
        long writes,
        long writesFailed,
        int watchers,
        long events,
        int reconnects,
        int gone,
        int tooOld,
        long readsJudged,
        Availability.Counts reads,
        Map<String, Long> readsFailed,
        long slowestReadMillis,
        List<FaultResult> faults,
        List<Violation> violations) {
    public ChaosReport {
        readsFailed = Map.copyOf(readsFailed);
        faults = List.copyOf(faults);
        violations = List.copyOf(violations);
    }

    /** All promises were kept, and no watch got an unjustified 410. */
    public boolean passed() {
        return violations.isEmpty() && gone == 0;
    }
}
