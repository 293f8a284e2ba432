package io.tidemark.concurrent;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Shares the calls of one costly operation. A caller gets the result of a call that began after it
 * asked: callers that arrive during a call share the next one. For any number of callers at most
 * one call runs and one is queued, and a call's failure reaches all who share it.
 */
public final class Coalescer<T> {
    private final String name;
    private final Callable<T> operation;
    private final Object lock = new Object();

    // Both guarded by lock.
    private @Nullable CompletableFuture<T> running;
    private @Nullable CompletableFuture<T> queued;

    /**
     * @param name of the threads that run the operation, for diagnostics
     * @param operation is run by one thread at a time, which sees what the one before it wrote; it
     *     must end within a bounded time
     */
    public Coalescer(String name, Callable<T> operation) {
        this.name = name;
        this.operation = operation;
    }

    /**
     * The result of a call that began after this request. Giving up does not disturb other callers.
     *
     * @throws ExecutionException when the operation failed; its cause is the failure
     * @throws TimeoutException when no result came in time
     */
    public T get(Duration within)
            throws ExecutionException, TimeoutException, InterruptedException {
        return join().get(within.toNanos(), TimeUnit.NANOSECONDS);
    }

    private CompletableFuture<T> join() {
        synchronized (lock) {
            if (running == null) {
                CompletableFuture<T> first = new CompletableFuture<>();
                Thread.ofVirtual().name(name).start(() -> runWhileRequested(first));
                running = first;
                return first;
            }
            if (queued == null) {
                queued = new CompletableFuture<>();
            }
            return queued;
        }
    }

    private void runWhileRequested(CompletableFuture<T> first) {
        CompletableFuture<T> current = first;
        while (current != null) {
            run(current);
            synchronized (lock) {
                current = queued;
                running = queued;
                queued = null;
            }
        }
    }

    private void run(CompletableFuture<T> call) {
        try {
            call.complete(operation.call());
        } catch (Throwable e) { // Errors too: this thread must go on, and all callers must know.
            call.completeExceptionally(e);
        }
    }
}
