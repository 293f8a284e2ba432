package io.tidemark.serving.read;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Barriers shared by all who wait for one: at most one is being taken, and one more is to be taken
 * next. A barrier is good for a request only when it began after the request came, so a request
 * that finds one under way waits for the next. However many requests come, etcd is asked once per
 * round trip.
 */
public final class Barriers {
    private final BarrierSource source;
    private final Supplier<String> connector;
    private final Object lock = new Object();

    // Both guarded by lock.
    private @Nullable CompletableFuture<Barrier> underWay;
    private @Nullable CompletableFuture<Barrier> next;

    /**
     * @param connector the address to ask; empty while none is known
     */
    public Barriers(BarrierSource source, Supplier<String> connector) {
        this.source = source;
        this.connector = connector;
    }

    /** A barrier that is taken after this call began. Fails with an {@link IOException}. */
    public CompletableFuture<Barrier> take() {
        CompletableFuture<Barrier> mine;
        synchronized (lock) {
            if (underWay != null) {
                if (next == null) {
                    next = new CompletableFuture<>();
                }
                return next;
            }
            mine = new CompletableFuture<>();
            underWay = mine;
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
                underWay = next;
                next = null;
            }
        }
    }

    private void ask(CompletableFuture<Barrier> answer) {
        try {
            String address = connector.get();
            if (address.isEmpty()) {
                throw new IOException("no connector has made itself known");
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
