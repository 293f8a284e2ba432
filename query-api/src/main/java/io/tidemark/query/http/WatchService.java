package io.tidemark.query.http;

import io.tidemark.query.http.WatchRun.Client;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.ReadPoint;
import io.tidemark.query.watch.WatchHub.Admission;
import io.tidemark.query.wire.ListOptionsRules;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Serves watches, each on a virtual thread of its own: as a response that does not end, on the
 * thread of its request, or over a WebSocket. What goes wrong before the stream has begun is an
 * HTTP status, afterwards an ERROR event.
 */
final class WatchService {
    private final Reading reading;

    WatchService(Reading reading) {
        this.reading = reading;
    }

    void serve(Exchange exchange, WatchQuery query) throws IOException, InterruptedException {
        ListOptionsRules.checkWatch(query.options());
        PartitionSet partitions = reading.tides().partitionsOf(query.interest().scope());
        ReadPoint opened = reading.freshness().any(partitions);
        boolean asksForWebSocket = WebSocketUpgrade.isAsked(exchange);
        String client = exchange.client();
        Admission admission = reading.hub().admit(client, reading.limits().watchesPerClient());
        boolean handedOver = false;
        try {
            if (query.interest().resource().isPresent()) {
                UnreadableObjects.warn(exchange, reading, query.interest().scope(), query.label());
            }
            if (asksForWebSocket) {
                handedOver = true;
                WebSocketUpgrade.serve(
                        exchange,
                        reading.times(),
                        admission,
                        sink ->
                                new WatchRun(
                                                reading,
                                                query,
                                                opened,
                                                sink,
                                                new Client(client, () -> {}))
                                        .run(admission));
                return;
            }
            OutputStream out = exchange.stream(query.contentType());
            new WatchRun(
                            reading,
                            query,
                            opened,
                            new StreamSink(out),
                            new Client(client, exchange::requireClient))
                    .run(admission);
            out.close();
        } finally {
            if (!handedOver) {
                admission.close();
            }
        }
        if (reading.hub().draining()) {
            // A client that asked again on the same connection would not get far.
            exchange.endConnection();
        }
    }
}
