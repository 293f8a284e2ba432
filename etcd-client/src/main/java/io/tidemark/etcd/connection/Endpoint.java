package io.tidemark.etcd.connection;

import io.grpc.ManagedChannel;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One member's address and its channel. A channel that failed to connect is replaced: gRPC would
 * wait for up to two minutes before it dials again, and repeat the old error meanwhile, while a new
 * channel reports the current state at the next call.
 */
final class Endpoint {
    private static final long CLOSE_MILLIS = 2_000;

    private final URI uri;
    private final Supplier<ManagedChannel> factory;
    private final Runnable refresh;

    /** Guarded by this. */
    private ManagedChannel channel;

    private boolean closed;

    /**
     * @param refresh reloads what a connection needs; called before each use, from any thread
     */
    Endpoint(URI uri, Supplier<ManagedChannel> factory, Runnable refresh) {
        this.uri = uri;
        this.factory = factory;
        this.refresh = refresh;
        channel = factory.get();
    }

    URI uri() {
        return uri;
    }

    ManagedChannel channel() {
        refresh.run();
        return current();
    }

    private synchronized ManagedChannel current() {
        return channel;
    }

    /** Replaces {@code failed} by a new channel, unless it was replaced already. */
    @SuppressWarnings("ReferenceEquality")
    synchronized void renew(ManagedChannel failed) {
        if (channel == failed && !closed) {
            channel = factory.get();
            failed.shutdown();
        }
    }

    synchronized void close() {
        closed = true;
        channel.shutdownNow();
    }

    /** Waits for {@link #close} to complete, at most two seconds. */
    void awaitClosed() {
        try {
            boolean _ = current().awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
