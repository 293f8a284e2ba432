package io.tidemark.concurrent;

import java.time.Duration;

/**
 * Pauses after failures in a row, each twice as long as the one before, up to a bound. Pure: the
 * caller counts the failures, and counts from zero again after a success.
 *
 * @param first the pause after one failure; at least 1 ns
 * @param longest the bound; at least the first
 */
public record Backoff(Duration first, Duration longest) {
    /**
     * @throws IllegalArgumentException when the bounds contradict each other
     */
    public Backoff {
        if (!first.isPositive() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException("no pauses between " + first + " and " + longest);
        }
    }

    /**
     * The pause to make now.
     *
     * @param failures in a row, including this one: at least 1
     */
    public Duration after(int failures) {
        int doublings = Math.min(failures - 1, Long.SIZE - 2);
        return first.toNanos() > longest.toNanos() >> doublings
                ? longest
                : Duration.ofNanos(first.toNanos() << doublings);
    }

    /**
     * The same, shortened at random: parties that failed together do not retry together.
     *
     * @param random from 0 to 1: the pause is between half and all of its length
     */
    public Duration after(int failures, double random) {
        return Duration.ofNanos((long) (after(failures).toNanos() * (0.5 + random / 2)));
    }
}
