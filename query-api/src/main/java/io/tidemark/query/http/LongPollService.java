package io.tidemark.query.http;

import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.ReadPoint;
import io.tidemark.query.watch.Delivery;
import io.tidemark.query.watch.Step;
import io.tidemark.query.watch.WatchCursor;
import io.tidemark.query.watch.WatchHub.Admission;
import io.tidemark.query.wire.ListOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Serves long polls: one JSON document as soon as something happened after a revision, or with no
 * events when the time is over.
 *
 * <pre>
 * {"kind":"WatchEventList","apiVersion":"v1","metadata":{"resourceVersion":"NEXT"},
 *  "events":[{"type":"ADDED","object":{…}},…]}
 * </pre>
 *
 * The next question is asked with the answer's resourceVersion: that way nothing is missed and
 * nothing comes twice. Without a resourceVersion a question waits for the first event from now on.
 */
final class LongPollService {
    private static final long DEFAULT_SECONDS = 30;
    private static final long MAX_SECONDS = 300;

    private final Reading reading;

    LongPollService(Reading reading) {
        this.reading = reading;
    }

    void serve(Exchange exchange, WatchQuery query) throws IOException, InterruptedException {
        ListOptions options = query.options();
        long asked = options.timeoutSeconds().orElse(DEFAULT_SECONDS);
        Duration wait = Duration.ofSeconds(Math.clamp(asked, 0, MAX_SECONDS));
        PartitionSet partitions = reading.tides().partitionsOf(query.interest().scope());
        long after = options.revision();
        ReadPoint start =
                options.resourceVersion().isEmpty()
                        ? reading.freshness().latest(partitions)
                        : reading.freshness().any(partitions);
        long from = after == 0 ? start.revision() : after;
        int most = reading.limits().watchesPerClient();
        try (Admission admission = reading.hub().admit(exchange.client(), most);
                WatchCursor cursor =
                        admission.watch(query.interest(), partitions, start.epoch(), from)) {
            switch (cursor.next(System.nanoTime() + wait.toNanos())) {
                case Step.Events events ->
                        answer(exchange, query, wholeRevisions(query, events, from));
                case Step.Quiet(long through) ->
                        answer(exchange, query, new Part(List.of(), Math.max(from, through)));
                case Step.Ended _ -> answer(exchange, query, new Part(List.of(), from));
            }
        }
    }

    /** As many as fit the answer's size, and never a part of a revision. */
    private Part wholeRevisions(WatchQuery query, Step.Events events, long from) {
        List<Delivery> deliveries = events.deliveries();
        long bytes = 0;
        for (int i = 0; i < deliveries.size(); i++) {
            long revision = deliveries.get(i).revision();
            boolean begins = i > 0 && deliveries.get(i - 1).revision() < revision;
            if (begins && bytes >= reading.limits().longPollBytes()) {
                return new Part(deliveries.subList(0, i), deliveries.get(i - 1).revision());
            }
            bytes += deliveries.get(i).line(query.form()).length;
        }
        return new Part(deliveries, Math.max(from, events.throughRevision()));
    }

    private void answer(Exchange exchange, WatchQuery query, Part part) throws IOException {
        if (query.interest().resource().isPresent()) {
            UnreadableObjects.warn(exchange, reading, query.interest().scope(), query.label());
        }
        try (ResponseBody body = exchange.body(200, query.contentType())) {
            String start =
                    "{\"kind\":\"WatchEventList\",\"apiVersion\":\"v1\",\"metadata\":"
                            + "{\"resourceVersion\":\"%d\"},\"events\":["
                                    .formatted(part.nextRevision());
            body.write(start.getBytes(StandardCharsets.UTF_8));
            boolean any = false;
            for (Delivery delivery : part.deliveries()) {
                byte[] line = delivery.line(query.form());
                if (any) {
                    body.write(',');
                }
                any = true;
                body.write(line, 0, line.length - 1);
            }
            body.write(new byte[] {']', '}', '\n'});
            body.finish();
        }
        reading.metrics().eventsSent(query.label(), part.deliveries().size());
    }

    private record Part(List<Delivery> deliveries, long nextRevision) {}
}
