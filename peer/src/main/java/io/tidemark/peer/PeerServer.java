package io.tidemark.peer;

import io.javalin.config.JavalinConfig;
import io.tidemark.http.AllowedHosts;
import io.tidemark.http.ErrorBody;
import io.tidemark.http.HttpServer;
import io.tidemark.http.HttpServerSettings;
import io.tidemark.http.NodeExchange;
import io.tidemark.http.NodeRoutes;
import io.tidemark.nodeauth.ServerSessions;
import io.tidemark.peer.link.AnswerBudget;
import io.tidemark.peer.link.AnswerSize;
import io.tidemark.peer.wire.WireAnswer;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireRequest;
import io.tidemark.peer.wire.WireVersion;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The internal listener: serves this node's replicas to the other nodes of the group, see {@link
 * NodeRoutes}.
 */
final class PeerServer implements AutoCloseable {
    /** Idle timeout; clients close their connections earlier, and streams have heartbeats. */
    private static final Duration STALLED = Duration.ofMinutes(1);

    /** Concurrent reads, with those that wait; callers send further ones to another replica. */
    private static final int MAX_READS = 512;

    private final PartitionDirectory local;
    private final Supplier<byte[]> node;
    private final HttpServer server;
    private final Semaphore reads = new Semaphore(MAX_READS);

    /** For answers from the read until they are written. */
    private final AnswerBudget memory = AnswerBudget.ofHeap();

    /** By the reading node's id. */
    private final Map<String, StateStream> streams = new ConcurrentHashMap<>();

    private volatile boolean leaving;
    private volatile boolean closed;

    /**
     * @param local only this node's own replicas: requests are never forwarded
     * @param node this node's report, as JSON
     */
    PeerServer(PeerSettings settings, PartitionDirectory local, Supplier<byte[]> node) {
        this.local = local;
        this.node = node;
        this.server =
                new HttpServer(
                        listener(settings), ErrorBody.TEXT, config -> addRoutes(config, settings));
    }

    private static HttpServerSettings listener(PeerSettings settings) {
        HttpServerSettings plain =
                new HttpServerSettings(
                                settings.listen().host(),
                                settings.listen().port(),
                                HttpServerSettings.HEADER_BYTES,
                                STALLED)
                        .withAllowedHosts(
                                AllowedHosts.of(
                                        settings.listen().host(), settings.advertise().host()));
        return settings.tls().map(tls -> plain.withTls(tls.listening())).orElse(plain);
    }

    void start() {
        server.start();
    }

    private void addRoutes(JavalinConfig config, PeerSettings settings) {
        NodeRoutes nodes =
                new NodeRoutes(
                        new ServerSessions(settings.secrets(), settings::advertise),
                        settings.tls());
        nodes.addTo(config);
        config.routes.get(
                PeerPaths.VERSIONS,
                nodes.authenticated(
                        0, exchange -> exchange.answer(200, settings.versions().announcement())));
        for (WireVersion version : settings.versions().spoken()) {
            addRoutes(config, nodes, version);
        }
    }

    private void addRoutes(JavalinConfig config, NodeRoutes nodes, WireVersion version) {
        PeerPaths paths = new PeerPaths(version);
        config.routes.get(
                paths.states(), nodes.authenticated(0, exchange -> states(exchange, version)));
        config.routes.get(
                paths.node(), nodes.authenticated(0, exchange -> exchange.answer(200, node.get())));
        config.routes.post(
                paths.partitions() + "{partition}",
                nodes.authenticated(
                        PeerPaths.MAX_QUESTION_BYTES, exchange -> answer(exchange, version)));
    }

    private void states(NodeExchange exchange, WireVersion version) throws IOException {
        StateStream stream = new StateStream(local, version);
        String follower = id(exchange);
        streams.put(follower, stream);
        try (OutputStream out = exchange.begin(200)) {
            if (leaving) {
                stream.feed().leave();
            }
            stream.writeTo(out, () -> closed || !exchange.isStillValid());
        } finally {
            streams.remove(follower, stream);
        }
    }

    /**
     * Notifies all reading nodes that this node's replicas will go; until then they stay readable.
     *
     * @param longest how long to wait until the notice is sent
     */
    void leave(Duration longest) throws InterruptedException {
        leaving = true;
        List<StateStream> notified = List.copyOf(streams.values());
        notified.forEach(stream -> stream.feed().leave());
        long deadline = System.nanoTime() + longest.toNanos();
        for (StateStream stream : notified) {
            stream.awaitLeavingSent(deadline);
        }
    }

    private void answer(NodeExchange exchange, WireVersion version)
            throws IOException, InterruptedException {
        if (!reads.tryAcquire()) {
            exchange.answer(503, "too many reads");
            return;
        }
        try (AnswerBudget.Booking booking = memory.booking()) {
            WireRequest request = version.decodeRequest(exchange.body());
            int partition = Integer.parseInt(exchange.path("partition"));
            if (partition < 0 || partition >= local.partitions()) {
                exchange.answer(404, "no such partition");
                return;
            }
            PartitionView view = local.view(partition);
            Optional<byte[]> answer =
                    answer(version, request.read(), view, streams.get(id(exchange)), booking);
            if (answer.isEmpty()) {
                exchange.answer(503, "no memory for the answer");
            } else if (answer.get().length > request.maxAnswerBytes()) {
                exchange.answer(413, Integer.toString(answer.get().length));
            } else {
                exchange.answer(200, answer.get());
            }
        } catch (WireException | NumberFormatException e) {
            exchange.answer(400, String.valueOf(e.getMessage()));
        } finally {
            reads.release();
        }
    }

    /**
     * Takes the state after the read, so that it shows whether the epoch changed meanwhile.
     *
     * @return empty when there is no memory for the answer: the caller asks another replica
     */
    private static <T> Optional<byte[]> answer(
            WireVersion version,
            ReadRequest<T> request,
            PartitionView view,
            @Nullable StateStream follower,
            AnswerBudget.Booking booking)
            throws InterruptedException {
        ReadOutcome<T> outcome = view.read(request);
        long bytes = AnswerSize.of(outcome);
        // Once as objects, and once as encoded bytes.
        if (!booking.take(2 * bytes, Duration.ZERO)) {
            return Optional.empty();
        }
        WireAnswer<T> answer = new WireAnswer<>(view.state(), outcome);
        if (follower != null) {
            follower.feed().answered(view.partition(), request, answer);
        }
        return Optional.of(
                version.encodeAnswer(
                        request,
                        answer,
                        (int) Math.min(Integer.MAX_VALUE - 8, bytes + bytes / 8 + 256)));
    }

    private static String id(NodeExchange exchange) {
        return Objects.requireNonNullElse(exchange.query(PeerPaths.FOLLOWER), "");
    }

    @Override
    public void close() {
        closed = true;
        server.close();
    }
}
