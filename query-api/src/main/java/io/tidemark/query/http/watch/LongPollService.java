package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.ClientPresence;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ResponseBody;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.watch.LongPoll;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.time.Duration;

/**
 * Serves long polls: one JSON document as soon as there are events after a revision, or without
 * events after a timeout.
 *
 * <pre>
 * {"kind":"WatchEventList","apiVersion":"v1","metadata":{"resourceVersion":"NEXT"},
 *  "events":[{"type":"ADDED","object":{…}},…]}
 * </pre>
 *
 * The client sends the response's resourceVersion with its next poll, so that it misses no event
 * and gets none twice. Without a resourceVersion a poll waits for the first event from now on.
 */
public final class LongPollService {
    private static final long DEFAULT_SECONDS = 30;
    private static final long MAX_SECONDS = 300;

    /** Longest wait without a check of the right, for a poll that no change of it wakes. */
    private static final long SLICE_NANOS = Duration.ofMillis(500).toNanos();

    private final ServingContext serving;

    public LongPollService(ServingContext serving) {
        this.serving = serving;
    }

    /**
     * Waits and writes the whole response.
     *
     * @throws io.tidemark.serving.status.StatusException the error to answer with
     * @throws IOException if the client has disconnected, or to break off inside a revision
     */
    public void serve(Exchange exchange, WatchQuery query)
            throws IOException, InterruptedException {
        ListOptions options = query.options();
        long asked = options.timeoutSeconds().orElse(DEFAULT_SECONDS);
        Duration wait = Duration.ofSeconds(Math.clamp(asked, 0, MAX_SECONDS));
        PartitionSet partitions = serving.watermarks().partitionsOf(query.filter().scope());
        ReadPoints points = ReadPoints.of(serving, exchange, serving.times().freshness());
        ReadPoint start = points.await(partitions, LongPoll.state(options.resourceVersion()));
        long from = LongPoll.start(options.revision(), start);
        int most = serving.limits().watchesPerClient();
        try (Admission admission = serving.hub().admit(exchange.client(), most);
                WatchCursor cursor =
                        admission.watch(query.filter(), partitions, start.epoch(), from)) {
            admission.requireBeforeReading(exchange::requireClient);
            long until = System.nanoTime() + wait.toNanos();
            Step first = first(exchange, admission, cursor, until);
            points.requireThrough(start.epoch(), LongPoll.tells(first));
            answer(exchange, query, first, from, cursor);
        }
    }

    /**
     * Waits for what the response begins with.
     *
     * @throws io.tidemark.serving.status.StatusException 403 or 401 once the right has ended
     */
    private Step first(Exchange exchange, Admission admission, WatchCursor cursor, long until)
            throws InterruptedException {
        WatchPermit permit =
                OpenWatch.permit(serving, exchange.permit(), cursor::wake, exchange::abort);
        try (permit) {
            permit.open();
            while (true) {
                permit.check();
                long most = System.nanoTime() + SLICE_NANOS;
                boolean sliced = permit.isLimited() && !cursor.isLive() && most - until < 0;
                Step step =
                        ClientPresence.next(
                                cursor,
                                sliced ? most : until,
                                serving.times(),
                                exchange::requireClient);
                permit.check();
                boolean over = System.nanoTime() - until >= 0 || admission.ending();
                if (over || !permit.isLimited() || !(step instanceof Step.NoEvents)) {
                    return step;
                }
            }
        }
    }

    private void answer(
            Exchange exchange, WatchQuery query, Step first, long from, WatchCursor cursor)
            throws IOException, InterruptedException {
        if (query.filter().selection().kubernetesOnly()) {
            UnreadableObjects.warn(exchange, serving, query.filter().scope(), query.label());
        }
        try (ResponseBody body = exchange.body(200, query.contentType())) {
            LongPoll poll =
                    new LongPoll(
                            query.form(),
                            from,
                            serving.limits().longPollBytes(),
                            exchange.memory()::take,
                            body);
            boolean open = poll.take(first);
            while (open) {
                open = poll.take(cursor.next(System.nanoTime() + LongPoll.POLL_INTERVAL.toNanos()));
            }
            body.finish();
            serving.metrics().eventsSent(query.label(), poll.sent());
        }
    }
}
