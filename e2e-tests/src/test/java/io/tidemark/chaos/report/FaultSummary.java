package io.tidemark.chaos.report;

import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** All faults of one kind together. */
public record FaultSummary(
        FaultKind kind,
        int count,
        Spread held,
        Spread pauseHit,
        Spread pauseOthers,
        Spread recovery,
        long reads,
        long retried,
        long failed) {
    /** In milliseconds. */
    public record Spread(long median, long longest) {
        static Spread of(List<FaultResult> results, ToLongFunction<FaultResult> figure) {
            long[] sorted = results.stream().mapToLong(figure).sorted().toArray();
            return new Spread(sorted[sorted.length / 2], sorted[sorted.length - 1]);
        }
    }

    private static FaultSummary of(FaultKind kind, List<FaultResult> results) {
        return new FaultSummary(
                kind,
                results.size(),
                Spread.of(results, FaultResult::heldMillis),
                Spread.of(results, FaultResult::pauseHitMillis),
                Spread.of(results, FaultResult::pauseOthersMillis),
                Spread.of(results, FaultResult::recoveryMillis),
                results.stream().mapToLong(result -> result.reads().requests()).sum(),
                results.stream().mapToLong(result -> result.reads().retried()).sum(),
                results.stream().mapToLong(result -> result.reads().failed()).sum());
    }

    /** One for each kind that happened, in the order of the kinds. */
    static List<FaultSummary> all(List<FaultResult> results) {
        Map<FaultKind, List<FaultResult>> byKind =
                results.stream()
                        .collect(
                                Collectors.groupingBy(
                                        FaultResult::kind, TreeMap::new, Collectors.toList()));
        return Arrays.stream(FaultKind.values())
                .filter(byKind::containsKey)
                .map(kind -> of(kind, byKind.get(kind)))
                .toList();
    }
}
