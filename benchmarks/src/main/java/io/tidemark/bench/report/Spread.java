package io.tidemark.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The median of several rounds, and their extremes. */
record Spread(double median, double least, double most) {
    /** All zero without values. */
    static <T> Spread of(List<T> rounds, ToDoubleFunction<T> value) {
        double[] sorted = rounds.stream().mapToDouble(value).sorted().toArray();
        if (sorted.length == 0) {
            return new Spread(0, 0, 0);
        }
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1
                        ? sorted[middle]
                        : Arrays.stream(sorted, middle - 1, middle + 1).average().orElse(0);
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    boolean isZero() {
        return most == 0;
    }
}
