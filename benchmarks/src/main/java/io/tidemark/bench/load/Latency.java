package io.tidemark.bench.load;

import org.HdrHistogram.Histogram;

/** Percentiles, in microseconds; all zero without a sample. */
public record Latency(long samples, long p50, long p90, long p99, long max) {
    public static final Latency NONE = new Latency(0, 0, 0, 0, 0);

    private static final int DIGITS = 3;

    /** Three digits exact, without an upper bound. */
    static Histogram histogram() {
        return new Histogram(DIGITS);
    }

    static Latency of(Histogram micros) {
        return new Latency(
                micros.getTotalCount(),
                micros.getValueAtPercentile(50),
                micros.getValueAtPercentile(90),
                micros.getValueAtPercentile(99),
                micros.getMaxValue());
    }
}
