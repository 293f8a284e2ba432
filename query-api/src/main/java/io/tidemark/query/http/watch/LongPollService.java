package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ResponseBody;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.watch.LongPoll;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import io.tidemark.view.object.Projection;
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
                        admission.watch(
                                query.filter(),
                                partitions,
                                start.epoch(),
                                from,
                                Projection.WHOLE,
                                points.bound(partitions, from))) {
            Step first;
            try (AwaitedSteps steps = new AwaitedSteps(serving, exchange, admission, cursor)) {
                first = steps.next(System.nanoTime() + wait.toNanos());
            }
            points.requireThrough(start.epoch(), LongPoll.tells(first, from));
            answer(exchange, query, first, from, cursor);
        }
    }

    private void answer(
            Exchange exchange, WatchQuery query, Step first, long from, WatchCursor cursor)
            throws IOException, InterruptedException {
        if (query.filter().selection().kubernetesOnly()) {
            UnreadableObjects.warn(exchange, serving, query.filter().scope(), query.label());
        }
        try (ResponseBody body = exchange.response().body(200, query.contentType())) {
            LongPoll poll =
                    new LongPoll(
                            query.form(),
                            from,
                            serving.limits().longPollBytes(),
                            exchange.memory()::take,
                            body);
            if (poll.take(first)) {
                takeRest(exchange, poll, cursor);
            }
            body.finish();
            serving.metrics().eventsSent(query.label(), poll.sent());
        }
    }

    /**
     * Waits for the rest of a revision. A replica that does not return must not hold the thread and
     * the watch's slot: without events the wait has a limit, and the client must be connected.
     */
    private void takeRest(Exchange exchange, LongPoll poll, WatchCursor cursor)
            throws IOException, InterruptedException {
        long patience = serving.times().freshness().toNanos();
        long progress = System.nanoTime();
        boolean open = true;
        while (open) {
            Step step = cursor.next(System.nanoTime() + LongPoll.POLL_INTERVAL.toNanos());
            open = poll.take(step);
            long now = System.nanoTime();
            if (step instanceof Step.NoEvents && open) {
                exchange.requireClient();
                if (now - progress >= patience) {
                    throw StatusErrors.requestTimedOut();
                }
            } else {
                progress = now;
            }
        }
    }
}
