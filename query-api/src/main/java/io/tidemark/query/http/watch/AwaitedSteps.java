package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.ClientPresence;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.time.Duration;

/**
 * The steps of a watch whose request's thread waits for them. The client and its right are checked
 * meanwhile. For one thread.
 */
public final class AwaitedSteps implements AutoCloseable {
    /** Longest wait without a check of the right, for a watch that no change of it wakes. */
    private static final long SLICE_NANOS = Duration.ofMillis(500).toNanos();

    private final ServingContext serving;
    private final Exchange exchange;
    private final Admission admission;
    private final WatchCursor cursor;
    private final WatchPermit permit;

    /** Whether it waits for events; else its client may be what it waits for. */
    private volatile boolean waiting;

    /**
     * @param cursor owned by the caller
     */
    public AwaitedSteps(
            ServingContext serving, Exchange exchange, Admission admission, WatchCursor cursor) {
        this.serving = serving;
        this.exchange = exchange;
        this.admission = admission;
        this.cursor = cursor;
        admission.requireBeforeReading(exchange::requireClient);
        this.permit =
                OpenWatch.permit(
                        serving, exchange.permit(), cursor::wake, () -> !waiting, exchange::abort);
        permit.open();
    }

    /**
     * Waits for the next events, until a time or until the node ends its watches.
     *
     * @param untilNanos as of {@link System#nanoTime}
     * @throws io.tidemark.serving.status.StatusException 403 or 401 once the right has ended, 410
     *     when the watch cannot go on
     */
    public Step next(long untilNanos) throws InterruptedException {
        waiting = true;
        try {
            return await(untilNanos);
        } finally {
            waiting = false;
        }
    }

    private Step await(long untilNanos) throws InterruptedException {
        while (true) {
            permit.check();
            long most = System.nanoTime() + SLICE_NANOS;
            boolean sliced = permit.isLimited() && !cursor.isLive() && most - untilNanos < 0;
            Step step =
                    ClientPresence.next(
                            cursor,
                            sliced ? most : untilNanos,
                            serving.times(),
                            exchange::requireClient);
            permit.check();
            boolean over = System.nanoTime() - untilNanos >= 0 || admission.ending();
            if (over || !permit.isLimited() || !(step instanceof Step.NoEvents)) {
                return step;
            }
        }
    }

    /** The response is complete; before that, a client that does not read it is cut off. */
    @Override
    public void close() {
        permit.close();
    }
}
