package io.tidemark.connector.feed;

import java.time.Duration;

/** Pauses after failures in a row: 0.1 s, doubled each time, 2 s at most. */
public final class Backoff {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private Duration next = FIRST;

    /** The pause to make now; the next one is longer. */
    public Duration failed() {
        Duration pause = next;
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }

    /** An attempt succeeded: the next pause is the shortest again. */
    public void succeeded() {
        next = FIRST;
    }
}
