package io.tidemark.chaos.report;

import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.simulation.promise.Violation;
import java.util.List;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param writesFailed writes without an answer; they may have happened
 * @param events that watchers got
 * @param gone ERROR 410s to who did not ask for too much; each makes a relist
 * @param tooOld ERROR 410s that were right
 * @param readsJudged lists and gets that were held against the truth
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

    /** All promises were kept, and no watch was told that it came too late. */
    public boolean passed() {
        return violations.isEmpty() && gone == 0;
    }
}
