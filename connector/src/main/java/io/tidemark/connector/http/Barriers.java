package io.tidemark.connector.http;

import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Answers "what is etcd's revision now" for many concurrent callers. A caller gets the result of a
 * linearizable read that began after its call; callers that arrive during a read share the next
 * one. So at most one read is running and one is queued, for any number of callers.
 */
public final class Barriers {
    public static final Duration TIMEOUT = Duration.ofMillis(2_900);

    private final EtcdSource source;
    private final Feed feed;
    private final Executor executor;

    /** Guards the running and the queued read. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable CompletableFuture<Barrier> running;
    private @Nullable CompletableFuture<Barrier> next;

    /**
     * @param executor runs the reads, one at a time
     */
    public Barriers(EtcdSource source, Feed feed, Executor executor) {
        this.source = source;
        this.feed = feed;
        this.executor = executor;
    }

    /** etcd's newest revision at some time after the request, and its epoch. */
    public record Barrier(long epoch, long revision) {}

    /** The barrier failed; the message is the reason. */
    public static final class BarrierException extends Exception {
        private static final long serialVersionUID = 1L;

        BarrierException(String message) {
            super(message);
        }
    }

    /** The part of the feed that barriers use. */
    public interface Feed {
        /** The history being written; null when it is not known. */
        ResumePoint.@Nullable At history();

        /** Requests a mark at or above the revision soon. */
        void await(long revision);

        /** Requests another check of etcd. */
        void requestEtcdCheck(String why);
    }

    /** Waits at most {@link #TIMEOUT}. */
    public Barrier await() throws BarrierException, InterruptedException {
        try {
            return join().get(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            throw new BarrierException("etcd did not answer within " + TIMEOUT.toMillis() + " ms");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new BarrierException(String.valueOf(cause.getMessage()));
        }
    }

    private CompletableFuture<Barrier> join() {
        lock.lock();
        try {
            if (running == null) {
                running = new CompletableFuture<>();
                start(running);
                return running;
            }
            if (next == null) {
                next = new CompletableFuture<>();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void start(CompletableFuture<Barrier> flight) {
        executor.execute(() -> {
            complete(flight, this::read);
            startNext();
        });
    }

    private static void complete(
            CompletableFuture<Barrier> flight, ThrowingSupplier<Barrier> read) {
        try {
            flight.complete(read.get());
        } catch (BarrierException | RuntimeException e) {
            flight.completeExceptionally(e);
        }
    }

    /** A read of etcd. */
    @FunctionalInterface
    private interface ThrowingSupplier<T> {
        T get() throws BarrierException;
    }

    private void startNext() {
        lock.lock();
        try {
            running = next;
            next = null;
            if (running != null) {
                start(running);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Looks up the epoch before the read: a history newer than the answer's does no harm. */
    private Barrier read() throws BarrierException {
        ResumePoint.At history = feed.history();
        if (history == null) {
            throw new BarrierException("the connector does not follow etcd yet");
        }
        EtcdSource.Newest newest = source.newest();
        if (newest.clusterId() != history.clusterId() || newest.revision() < history.revision()) {
            String why =
                    "etcd is at revision %d of cluster %x, the mirror at %d of %x"
                            .formatted(
                                    newest.revision(),
                                    newest.clusterId(),
                                    history.revision(),
                                    history.clusterId());
            feed.requestEtcdCheck(why);
            throw new BarrierException(why);
        }
        feed.await(newest.revision());
        return new Barrier(history.epoch(), newest.revision());
    }
}
