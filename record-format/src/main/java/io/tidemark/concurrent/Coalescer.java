package io.tidemark.concurrent;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Shares the calls of one costly operation. A caller gets the result of a call that began after it
 * asked: callers that arrive during a call share the next one. For any number of callers at most
 * one call runs and one is queued, and a call's failure reaches all who share it.
 */
public final class Coalescer<T> {
    private final Supplier<CompletableFuture<T>> operation;
    private final Object lock = new Object();

    // Both guarded by lock.
    private @Nullable CompletableFuture<T> running;
    private @Nullable CompletableFuture<T> queued;

    /**
     * Shares the calls of an operation that blocks.
     *
     * @param name of the threads that run the operation, for diagnostics
     * @param operation is run by one thread at a time, which sees what the one before it wrote; it
     *     must end within a bounded time
     */
    public Coalescer(String name, Callable<T> operation) {
        this(() -> onThread(name, operation));
    }

    /**
     * Shares the calls of an operation that does not block.
     *
     * @param operation begins a call, whose result must come within a bounded time; the next call
     *     begins after it
     */
    public Coalescer(Supplier<CompletableFuture<T>> operation) {
        this.operation = operation;
    }

    /** Runs a blocking operation on a separate virtual thread. */
    public static <T> CompletableFuture<T> onThread(String name, Callable<T> operation) {
        CompletableFuture<T> call = new CompletableFuture<>();
        Thread.ofVirtual()
                .name(name)
                .start(() -> {
                    try {
                        call.complete(operation.call());
                    } catch (Throwable e) { // Errors too: all callers must know.
                        call.completeExceptionally(e);
                    }
                });
        return call;
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

    /**
     * The same without a wait.
     *
     * @return shared by all callers of the call: only for reading
     */
    public CompletableFuture<T> join() {
        CompletableFuture<T> first = new CompletableFuture<>();
        synchronized (lock) {
            if (running != null) {
                queued = queued == null ? first : queued;
                return queued;
            }
            running = first;
        }
        run(first);
        return first;
    }

    private void run(CompletableFuture<T> call) {
        CompletableFuture<T> unused =
                begin().whenComplete((result, failure) -> {
                    if (failure == null) {
                        call.complete(result);
                    } else {
                        call.completeExceptionally(causeOf(failure));
                    }
                    runQueued();
                });
    }

    /** A failure that passed through a stage of the operation is wrapped; callers need its text. */
    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : failure;
    }

    private CompletableFuture<T> begin() {
        try {
            return operation.get();
        } catch (Throwable e) { // Errors too: all callers must know.
            return CompletableFuture.failedFuture(e);
        }
    }

    private void runQueued() {
        CompletableFuture<T> next;
        synchronized (lock) {
            next = queued;
            running = queued;
            queued = null;
        }
        if (next != null) {
            run(next);
        }
    }
}
