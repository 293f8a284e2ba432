package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.ClientPresence;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ResponseBody;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.wire.ListOptions;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.Delivery;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

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
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

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
        long after = options.revision();
        ReadPoint start =
                options.resourceVersion().isEmpty()
                        ? serving.freshness().latest(partitions)
                        : serving.freshness().any(partitions);
        long from = after == 0 ? start.revision() : after;
        int most = serving.limits().watchesPerClient();
        try (Admission admission = serving.hub().admit(exchange.client(), most);
                WatchCursor cursor =
                        admission.watch(query.filter(), partitions, start.epoch(), from)) {
            admission.requireBeforeReading(exchange::requireClient);
            long until = System.nanoTime() + wait.toNanos();
            switch (ClientPresence.next(cursor, until, serving.times(), exchange::requireClient)) {
                case Step.Events events ->
                        answer(
                                exchange,
                                query,
                                wholeRevisions(exchange, query, events, from),
                                cursor);
                case Step.NoEvents quiet ->
                        answer(
                                exchange,
                                query,
                                nothing(Math.max(from, quiet.throughRevision())),
                                cursor);
                case Step.Ended _ -> answer(exchange, query, nothing(from), cursor);
            }
        }
    }

    /**
     * As many whole revisions as fit the response; a revision in several parts is a response by
     * itself.
     */
    private Part wholeRevisions(
            Exchange exchange, WatchQuery query, Step.Events events, long from) {
        List<Delivery> deliveries = events.deliveries();
        long bytes = 0;
        for (int i = 0; i < deliveries.size(); i++) {
            long revision = deliveries.get(i).revision();
            boolean begins = i > 0 && deliveries.get(i - 1).revision() < revision;
            boolean comesInParts = revision > events.throughRevision() && !events.isWhole();
            if (begins && (comesInParts || bytes >= serving.limits().longPollBytes())) {
                return new Part(deliveries.subList(0, i), deliveries.get(i - 1).revision(), false);
            }
            int line = deliveries.get(i).line(query.form()).length;
            exchange.memory().take(line);
            bytes += line;
        }
        return events.isWhole()
                ? new Part(deliveries, Math.max(from, events.throughRevision()), false)
                : new Part(deliveries, events.through().revision(), true);
    }

    /** The next part of a revision that has been partly written. */
    private static Part rest(WatchCursor cursor, long revision)
            throws IOException, InterruptedException {
        return switch (cursor.next(System.nanoTime() + POLL_INTERVAL.toNanos())) {
            case Step.Events events ->
                    new Part(
                            events.deliveries().stream()
                                    .filter(delivery -> delivery.revision() == revision)
                                    .toList(),
                            revision,
                            events.throughRevision() < revision);
            case Step.NoEvents quiet -> new Part(List.of(), revision, !quiet.isWhole());
            // A client must not mistake a partial revision for a whole one: the connection is
            // reset.
            case Step.Ended _ ->
                    throw new IOException("the watch ended inside revision " + revision);
        };
    }

    private static Part nothing(long nextRevision) {
        return new Part(List.of(), nextRevision, false);
    }

    private void answer(Exchange exchange, WatchQuery query, Part first, WatchCursor cursor)
            throws IOException, InterruptedException {
        if (query.filter().selection().kubernetesOnly()) {
            UnreadableObjects.warn(exchange, serving, query.filter().scope(), query.label());
        }
        try (ResponseBody body = exchange.body(200, query.contentType())) {
            String start =
                    "{\"kind\":\"WatchEventList\",\"apiVersion\":\"v1\",\"metadata\":"
                            + "{\"resourceVersion\":\"%d\"},\"events\":["
                                    .formatted(first.nextRevision());
            body.write(start.getBytes(StandardCharsets.UTF_8));
            long sent = write(body, query, first.deliveries(), 0);
            for (Part part = first; part.open(); ) {
                part = rest(cursor, first.nextRevision());
                sent = write(body, query, part.deliveries(), sent);
            }
            body.write(new byte[] {']', '}', '\n'});
            body.finish();
            serving.metrics().eventsSent(query.label(), sent);
        }
    }

    private static long write(
            ResponseBody body, WatchQuery query, List<Delivery> deliveries, long before)
            throws IOException {
        long sent = before;
        for (Delivery delivery : deliveries) {
            byte[] line = delivery.line(query.form());
            if (sent++ > 0) {
                body.write(',');
            }
            body.write(line, 0, line.length - 1);
        }
        return sent;
    }

    /**
     * @param open whether more events of the last revision, {@code nextRevision}, follow
     */
    private record Part(List<Delivery> deliveries, long nextRevision, boolean open) {}
}
