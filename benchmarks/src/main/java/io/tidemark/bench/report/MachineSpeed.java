package io.tidemark.bench.report;

import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.SendReference;
import java.util.List;
import java.util.OptionalDouble;

/** The speeds of the machines of two results, by their rows of {@link SendReference}. */
final class MachineSpeed {
    private MachineSpeed() {}

    /**
     * The second machine's CPU time for the same work, where the first machine's is 1; empty when a
     * result has no such row, as those of earlier versions.
     */
    static OptionalDouble ratio(ResultFile before, ResultFile after) {
        double first = send(before);
        double second = send(after);
        return first == 0 || second == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(second / first);
    }

    /** 0 without a row. */
    private static double send(ResultFile result) {
        List<Measurement> rounds = result.of(SendReference.WORKLOAD, SendReference.MACHINE);
        return Spread.of(rounds, Figure.CPU.value()).median();
    }
}
