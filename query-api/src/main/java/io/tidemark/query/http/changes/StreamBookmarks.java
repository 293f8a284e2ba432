package io.tidemark.query.http.changes;

import io.tidemark.serving.watch.Step;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * When a stream says how far it has got, so that a client resumes after all that it has seen, also
 * if nothing of it was sent for long. For one thread.
 */
final class StreamBookmarks {
    /** Empty if the client wants none. */
    private final Duration interval;

    private long through;
    private long sent;
    private long next;

    private StreamBookmarks(Duration interval, long sent, long next) {
        this.interval = interval;
        this.through = sent;
        this.sent = sent;
        this.next = next;
    }

    static StreamBookmarks none() {
        return new StreamBookmarks(Duration.ZERO, 0, 0);
    }

    /**
     * @param known the revision that the client knows to be through
     * @param atOnce whether the first one is due now
     */
    static StreamBookmarks every(Duration interval, long known, boolean atOnce) {
        long now = System.nanoTime();
        return new StreamBookmarks(interval, known, atOnce ? now : now + interval.toNanos());
    }

    /** The earlier one of a time and of when a bookmark is due, as of {@link System#nanoTime}. */
    long pollUntil(long untilNanos) {
        return interval.isZero() || next - untilNanos > 0 ? untilNanos : next;
    }

    /**
     * What to send after a step.
     *
     * @param last whether the stream ends with it
     * @return the revision through which the client has got everything
     */
    OptionalLong after(Step step, boolean last) {
        boolean whole =
                switch (step) {
                    case Step.Events events -> {
                        through = Math.max(through, events.throughRevision());
                        yield events.isWhole();
                    }
                    case Step.NoEvents quiet -> {
                        through = Math.max(through, quiet.throughRevision());
                        yield quiet.isWhole();
                    }
                    case Step.Ended _ -> true;
                };
        boolean due = last || System.nanoTime() - next >= 0;
        if (interval.isZero() || !whole || !due) {
            return OptionalLong.empty();
        }
        next = System.nanoTime() + interval.toNanos();
        if (through <= sent) {
            return OptionalLong.empty();
        }
        sent = through;
        return OptionalLong.of(through);
    }
}
