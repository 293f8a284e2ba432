package io.tidemark.hostile;

import java.util.Arrays;
import java.util.Locale;

/** Durations of a repeated operation. Thread-safe. */
final class Latencies {
    private long[] nanos = new long[1024];
    private int count;

    synchronized void add(long duration) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = duration;
    }

    synchronized int count() {
        return count;
    }

    /**
     * @param part of them that took no longer, from 0 to 1
     * @return in milliseconds; NaN when there are none
     */
    synchronized double millis(double part) {
        if (count == 0) {
            return Double.NaN;
        }
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(part * (count - 1))] / 1e6;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d, median %.1f ms, p99 %.1f ms, longest %.1f ms",
                count(),
                millis(0.5),
                millis(0.99),
                millis(1));
    }
}
