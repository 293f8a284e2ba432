package io.tidemark.query.http.watch;

import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.http.watch.WatchSession.Client;
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Serves watches, each on its virtual thread: as a streamed response on the request's thread, or
 * over a WebSocket. An error before the stream begins is an HTTP status, afterwards an ERROR event.
 */
public final class WatchService {
    private final ServingContext serving;

    public WatchService(ServingContext serving) {
        this.serving = serving;
    }

    /**
     * Serves a watch to its end, which for a stream may be after an hour.
     *
     * @throws io.tidemark.serving.status.StatusException the error to answer with, before the
     *     stream has begun
     * @throws IOException if the client has disconnected
     */
    public void serve(Exchange exchange, WatchQuery query)
            throws IOException, InterruptedException {
        ListOptionsRules.checkWatch(query.options());
        PartitionSet partitions = serving.watermarks().partitionsOf(query.filter().scope());
        ReadPoint opened = serving.freshness().any(partitions);
        boolean asksForWebSocket = WebSocketUpgrade.isAsked(exchange);
        String client = exchange.client();
        Admission admission = serving.hub().admit(client, serving.limits().watchesPerClient());
        boolean handedOver = false;
        try {
            if (query.filter().selection().kubernetesOnly()) {
                UnreadableObjects.warn(exchange, serving, query.filter().scope(), query.label());
            }
            if (asksForWebSocket) {
                handedOver = true;
                WebSocketUpgrade.serve(
                        exchange,
                        serving.times(),
                        admission,
                        sink ->
                                new WatchSession(
                                                serving,
                                                query,
                                                opened,
                                                sink,
                                                new Client(client, () -> {}))
                                        .run(admission));
                return;
            }
            OutputStream out = exchange.stream(query.contentType());
            new WatchSession(
                            serving,
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
        if (serving.hub().draining()) {
            // Makes the client reconnect, to another node.
            exchange.endConnection();
        }
    }
}
