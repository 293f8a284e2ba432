package io.tidemark.query.http.watch;

import io.tidemark.query.compress.StreamCoding;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ReadPoints;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.StateHeaders;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.http.watch.WatchSession.Client;
import io.tidemark.query.http.watch.WatchSession.Rights;
import io.tidemark.query.wire.ListOptionsRules;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.watch.WatchHub.Admission;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Serves watches, as a streamed response or over a WebSocket. An error before the stream begins is
 * an HTTP status, afterwards an ERROR event.
 */
public final class WatchService {
    private final ServingContext serving;

    public WatchService(ServingContext serving) {
        this.serving = serving;
    }

    /**
     * Begins a watch, which may go on for hours after this has returned.
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
        boolean asksForWebSocket = WebSocketUpgrade.isAllowed(exchange);
        String client = exchange.client();
        Admission admission = serving.hub().admit(client, serving.limits().watchesPerClient());
        Rights rights =
                new Rights(
                        exchange.permit(),
                        ReadPoints.of(serving, exchange, serving.times().freshness()));
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
                        (connection, pending) ->
                                new WatchSession(
                                        serving,
                                        query,
                                        opened,
                                        new Client(
                                                client,
                                                () -> {},
                                                new SocketSink(connection, pending),
                                                new SocketOutput(connection, pending),
                                                StreamCoding.PLAIN,
                                                _ -> connection.abort()),
                                        rights,
                                        admission));
            } else {
                StateHeaders.opened(exchange, serving, opened);
                StreamCoding coding = coding(exchange);
                OutputStream out = exchange.response().stream(query.contentType(), coding);
                Client stream =
                        new Client(
                                client,
                                exchange::requireClient,
                                new StreamSink(out),
                                StreamOutput.of(exchange),
                                coding,
                                exchange::abort);
                WatchSession session =
                        new WatchSession(serving, query, opened, stream, rights, admission);
                exchange.onDisconnect(session::disconnect);
                handedOver = true;
                exchange.continueUntil(
                        session.start()
                                .thenRun(() -> close(out, coding))
                                .whenComplete((_, _) -> {
                                    session.close();
                                    admission.close();
                                })
                                .thenRun(() -> disconnectIfDraining(exchange)));
            }
        } finally {
            if (!handedOver) {
                admission.close();
            }
        }
    }

    /** A HEAD request gets no lines, so compressing them is in vain. */
    private StreamCoding coding(Exchange exchange) {
        return exchange.isHead()
                ? StreamCoding.PLAIN
                : serving.compression().ofWatch(exchange.header("Accept-Encoding"));
    }

    private static void close(OutputStream out, StreamCoding coding) {
        try {
            out.write(coding.end());
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the client reconnect, to another node. */
    private void disconnectIfDraining(Exchange exchange) {
        if (serving.hub().draining()) {
            exchange.endConnection();
        }
    }
}
