package io.tidemark.serving.read;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares barriers between concurrent requests: at most one is in flight and one is queued. A
 * barrier only serves requests that came before it was started, so a request that finds one in
 * flight waits for the queued one. However many requests come, etcd is asked once per round trip.
 */
public final class Barriers {
    private final BarrierSource source;
    private final Supplier<String> connector;
    private final Object lock = new Object();

    // Both guarded by lock.
    private @Nullable CompletableFuture<Barrier> inFlight;
    private @Nullable CompletableFuture<Barrier> next;

    /**
     * @param connector the address to ask; empty while none is known
     */
    public Barriers(BarrierSource source, Supplier<String> connector) {
        this.source = source;
        this.connector = connector;
    }

    /** A barrier that is started after this call. Fails with an {@link IOException}. */
    public CompletableFuture<Barrier> take() {
        CompletableFuture<Barrier> mine;
        synchronized (lock) {
            if (inFlight != null) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            mine = new CompletableFuture<>();
            inFlight = mine;
        }
        Thread.ofVirtual().name("barrier").start(() -> takeWhileRequested(mine));
        return mine;
    }

    private void takeWhileRequested(CompletableFuture<Barrier> first) {
        CompletableFuture<Barrier> current = first;
        while (current != null) {
            ask(current);
            synchronized (lock) {
                current = next;
                inFlight = next;
                next = null;
            }
        }
    }

    private void ask(CompletableFuture<Barrier> answer) {
        try {
            String address = connector.get();
            if (address.isEmpty()) {
                throw new IOException("no connector is known yet");
            }
            answer.complete(source.take(address));
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.completeExceptionally(new IOException("stopping", e));
        }
    }
}
