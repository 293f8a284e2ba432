package io.tidemark.query.http.changes;

import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import java.time.Duration;

/** Whether the client of a stream has got a part of a revision only. For one thread. */
final class PartialRevision {
    /** Wait per step for the rest. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private static final int GONE = 410;

    private boolean open;
    private long revision;

    /** When to stop waiting for the next step, as of {@link System#nanoTime}. */
    static long pollUntil() {
        return System.nanoTime() + POLL_INTERVAL.toNanos();
    }

    /** The client has got what a step returned. */
    void sent(Step step) {
        switch (step) {
            case Step.Events events -> {
                open = !events.isWhole();
                revision = events.through().revision();
            }
            case Step.NoEvents quiet -> {
                open = !quiet.isWhole();
                revision = quiet.through().revision();
            }
            case Step.Ended _ -> open = false;
        }
    }

    /** Whether the rest must follow. */
    boolean isOpen() {
        return open;
    }

    /** The error that ends the stream: inside a revision a 410, since no client may resume. */
    StatusException shown(StatusException why) {
        return open && why.status().code() != GONE
                ? StatusErrors.endedInsideRevision(revision)
                : why;
    }
}
