package io.tidemark.peer;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.tidemark.peer.wire.CallCodec;
import io.tidemark.peer.wire.StateCodec;
import io.tidemark.peer.wire.ViewCall;
import io.tidemark.peer.wire.WireException;
import io.tidemark.peer.wire.WireOutput;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The internal listener: offers this node's copies to the others, and to nobody who does not know
 * the secret.
 */
final class PeerServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
    private static final String BYTES = "application/octet-stream";

    /** Reads that wait or run at once; further ones are sent to another copy. */
    private static final int MAX_READS = 512;

    private final PartitionDirectory local;
    private final PeerSecret secret;
    private final Supplier<byte[]> node;
    private final Javalin javalin;
    private final Semaphore reads = new Semaphore(MAX_READS);

    /** By who reads them. */
    private final Map<String, StateStream> streams = new ConcurrentHashMap<>();

    private volatile boolean leaving;
    private volatile boolean closed;

    /**
     * @param local only this node's own copies: a question is never passed on
     * @param node what this node says of itself, as JSON
     */
    PeerServer(PeerSettings settings, PartitionDirectory local, Supplier<byte[]> node) {
        this.local = local;
        this.secret = settings.secret();
        this.node = node;
        this.javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    config.startup.showOldJavalinVersionWarning = false;
                    config.startup.startupWatcherEnabled = false;
                    config.concurrency.useVirtualThreads = true;
                    config.http.maxRequestSize = PeerPaths.MAX_QUESTION_BYTES;
                    config.http.generateEtags = false;
                    config.http.compressionStrategy = CompressionStrategy.NONE;
                    config.jetty.host = settings.listen().host();
                    config.jetty.port = settings.listen().port();
                    // Who closes this has stopped using it.
                    config.jetty.modifyServer(server -> server.setStopTimeout(0));
                    addRoutes(config);
                });
    }

    void start() {
        javalin.start();
    }

    private void addRoutes(JavalinConfig config) {
        config.routes.before(this::requireSecret);
        config.routes.exception(
                IOException.class,
                (e, _) -> LOG.debug("a node has gone while it was being answered", e));
        config.routes.get(PeerPaths.STATES, this::states);
        config.routes.get(
                PeerPaths.NODE,
                context -> {
                    context.contentType("application/json").result(node.get());
                });
        config.routes.post(PeerPaths.PARTITIONS + "{partition}", this::answer);
    }

    private void requireSecret(Context context) {
        if (!secret.isSaidBy(context.header("Authorization"))) {
            context.status(HttpStatus.UNAUTHORIZED).skipRemainingHandlers();
        }
    }

    private void states(Context context) throws IOException {
        context.contentType(BYTES);
        StateStream stream = new StateStream(local);
        String follower = id(context);
        streams.put(follower, stream);
        try {
            if (leaving) {
                stream.leave();
            }
            stream.writeTo(context.res().getOutputStream(), () -> closed);
        } finally {
            streams.remove(follower, stream);
        }
    }

    /**
     * Tells all who follow that the copies here will be gone; they go on being read meanwhile.
     *
     * @param longest how long to wait for it to be sent
     */
    void leave(Duration longest) throws InterruptedException {
        leaving = true;
        List<StateStream> told = List.copyOf(streams.values());
        told.forEach(StateStream::leave);
        long deadline = System.nanoTime() + longest.toNanos();
        for (StateStream stream : told) {
            stream.awaitTold(deadline);
        }
    }

    private void answer(Context context) {
        if (!reads.tryAcquire()) {
            context.status(HttpStatus.SERVICE_UNAVAILABLE);
            return;
        }
        try {
            ViewCall<?> call = CallCodec.read(context.bodyAsBytes());
            int partition = Integer.parseInt(context.pathParam("partition"));
            if (partition < 0 || partition >= local.partitions()) {
                context.status(HttpStatus.NOT_FOUND);
                return;
            }
            PartitionView view = local.view(partition);
            context.contentType(BYTES).result(answer(call, view, follower(context, partition)));
        } catch (WireException | NumberFormatException e) {
            context.status(HttpStatus.BAD_REQUEST).result(String.valueOf(e.getMessage()));
        } finally {
            reads.release();
        }
    }

    /** The state is taken after the read: it tells whether another history began meanwhile. */
    private static <T> byte[] answer(ViewCall<T> call, PartitionView view, Follower follower) {
        ReadOutcome<T> outcome = call.askOf(view);
        PartitionState state = view.state();
        if (call instanceof ViewCall.Changes(ChangesRequest asked)
                && outcome instanceof ReadOutcome.Served<T>(ChangePage page)
                && page.throughRevision() == asked.throughRevision()) {
            follower.follow(state.epoch(), page.throughRevision());
        }
        WireOutput out = new WireOutput();
        StateCodec.write(state, out);
        CallCodec.writeOutcome(call, outcome, out);
        return out.toByteArray();
    }

    /** Who goes on reading changes of a partition where a page has ended. */
    private interface Follower {
        void follow(long epoch, long throughRevision);
    }

    private Follower follower(Context context, int partition) {
        StateStream stream = streams.get(id(context));
        return stream == null
                ? (_, _) -> {}
                : (epoch, through) -> stream.follow(partition, epoch, through);
    }

    private static String id(Context context) {
        return Objects.requireNonNullElse(context.header(PeerPaths.FOLLOWER), "");
    }

    @Override
    public void close() {
        closed = true;
        javalin.stop();
    }
}
