package io.tidemark.connector.http;

import io.tidemark.concurrent.Coalescer;
import io.tidemark.connector.feed.ResumePoint;
import io.tidemark.connector.source.EtcdSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Answers "what is etcd's revision now" for many concurrent callers, with linearizable reads that
 * they share.
 */
public final class Barriers {
    public static final Duration TIMEOUT = Duration.ofMillis(2_900);

    private final EtcdSource source;
    private final Feed feed;
    private final Duration timeout;
    private final Coalescer<Barrier> reads = new Coalescer<>("tidemark-barrier", this::read);

    public Barriers(EtcdSource source, Feed feed) {
        this(source, feed, TIMEOUT);
    }

    Barriers(EtcdSource source, Feed feed, Duration timeout) {
        this.source = source;
        this.feed = feed;
        this.timeout = timeout;
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

    /** Waits at most {@link #TIMEOUT}, unless constructed with another one. */
    public Barrier await() throws BarrierException, InterruptedException {
        try {
            return reads.get(timeout);
        } catch (TimeoutException e) {
            throw failed(e);
        } catch (ExecutionException e) {
            throw failed(e.getCause() == null ? e : e.getCause());
        }
    }

    /** The same without blocking the caller; fails with a {@link BarrierException}. */
    public CompletableFuture<Barrier> begin() {
        CompletableFuture<Barrier> answer = new CompletableFuture<>();
        var _ =
                reads.join()
                        .copy()
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((barrier, failure) -> {
                            if (failure == null) {
                                answer.complete(barrier);
                            } else {
                                answer.completeExceptionally(failed(failure));
                            }
                        });
        return answer;
    }

    private BarrierException failed(Throwable why) {
        Throwable cause = why.getCause();
        Throwable reason = why instanceof CompletionException && cause != null ? cause : why;
        return new BarrierException(
                reason instanceof TimeoutException
                        ? "etcd did not answer within " + timeout.toMillis() + " ms"
                        : String.valueOf(reason.getMessage()));
    }

    /**
     * One read, in the caller's thread. It looks up the epoch before: a history newer than the
     * answer's does no harm.
     */
    public Barrier read() throws BarrierException {
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
