package io.tidemark.simulation.world;

/** How often each thing happened, in one run or in many. For one thread. */
public final class CoverageCounts {
    private final long[] counts = new long[CoverageEvent.values().length];

    public void count(CoverageEvent what) {
        count(what, 1);
    }

    public void count(CoverageEvent what, long times) {
        counts[what.ordinal()] += times;
    }

    public long of(CoverageEvent what) {
        return counts[what.ordinal()];
    }

    public void add(CoverageCounts other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
    }

    /** A line for each thing. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (CoverageEvent each : CoverageEvent.values()) {
            text.append("%,16d  %s%n".formatted(of(each), each));
        }
        return text.toString();
    }
}
