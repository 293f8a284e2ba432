package io.tidemark.query.http;

import io.javalin.http.Context;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.ExchangeResources;
import io.tidemark.query.http.exchange.QueryMetrics;
import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.WatchHub;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs each request until its response has ended: on its thread, or without one where the response
 * goes on. An exception becomes a Status here; once the response has begun it aborts the
 * connection, so that no client mistakes a partial response for a complete one.
 */
final class RequestRunner {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRunner.class);

    /** Status in metrics of a request whose client disconnected first; never sent. */
    private static final int CLIENT_GONE = 499;

    private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

    private final ExchangeResources resources;
    private final WatchHub hub;
    private final QueryMetrics metrics;
    private final Answer answer;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** Writes the response to a request, or begins it and lets it go on. */
    interface Answer {
        /**
         * @throws StatusException to refuse the request
         */
        void write(Exchange exchange, RequestMetrics measured)
                throws IOException, InterruptedException;
    }

    /**
     * @param hub the open watches, which end after their requests
     */
    RequestRunner(ExchangeResources resources, WatchHub hub, QueryMetrics metrics, Answer answer) {
        this.resources = resources;
        this.hub = hub;
        this.metrics = metrics;
        this.answer = answer;
    }

    /**
     * Waits until no request is in flight and no watch is open.
     *
     * @param deadline as of {@link System#nanoTime}
     */
    void awaitIdle(long deadline) {
        try {
            while ((inFlight.get() > 0 || hub.watches() > 0) && System.nanoTime() - deadline < 0) {
                Thread.sleep(POLL_INTERVAL);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Answers a request; the response may go on after this method has returned. */
    void run(Context context) throws IOException {
        inFlight.incrementAndGet();
        boolean goesOn = false;
        try {
            goesOn = begin(context);
        } finally {
            if (!goesOn) {
                inFlight.decrementAndGet();
            }
        }
    }

    /** Whether the response goes on without this thread. */
    private boolean begin(Context context) throws IOException {
        RequestMetrics measured = new RequestMetrics(metrics, context.header("traceparent"));
        Exchange exchange;
        try {
            exchange = Exchange.begin(context, resources);
        } catch (StatusException e) {
            try (Exchange refused = Exchange.withoutParameters(context, resources)) {
                refused.response().refuse(e);
            }
            return false;
        }
        Optional<CompletableFuture<?>> end = Optional.empty();
        try {
            int status = answerOrRefuse(exchange, measured);
            end = exchange.continuation();
            if (end.isEmpty()) {
                exchange.ended(status);
                measured.ended(status);
            }
        } finally {
            if (end.isEmpty()) {
                exchange.close();
            }
        }
        end.ifPresent(later -> goOn(context, exchange, measured, later));
        return end.isPresent();
    }

    private void goOn(
            Context context, Exchange exchange, RequestMetrics measured, CompletableFuture<?> end) {
        int status = exchange.response().status();
        exchange.begun(status);
        CompletableFuture<Void> over = new CompletableFuture<>();
        context.future(() -> over);
        CompletableFuture<Void> _ =
                end.handle((_, failure) -> {
                    try {
                        end(exchange, measured, status, failure);
                    } catch (RuntimeException e) {
                        // Nothing waits for this future.
                        LOG.error("cannot end a response", e);
                    }
                    if (!exchange.isEndedByClient()) {
                        over.complete(null);
                    }
                    return null;
                });
    }

    /**
     * Ends a response that went on without a thread.
     *
     * @param status with which it began
     */
    private void end(
            Exchange exchange, RequestMetrics measured, int status, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        try (exchange) {
            boolean gone = cause instanceof ClientDisconnectedException;
            if (gone) {
                exchange.audit().complete(CLIENT_GONE, "the client has disconnected");
            }
            if (cause != null) {
                abort(exchange, cause);
            }
            measured.ended(gone ? CLIENT_GONE : status);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /** Breaks a response off that has begun. */
    private static void abort(Exchange exchange, Throwable why) {
        if (isDisconnect(why)) {
            LOG.debug("client disconnected", why);
        } else {
            LOG.warn("response aborted after it had begun", why);
            exchange.audit().panic();
        }
        exchange.abort(why);
    }

    /** Whether a client's disconnect has caused a failure: any I/O error has. */
    private static boolean isDisconnect(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClientDisconnectedException || cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    /** The status of the response. */
    private int answerOrRefuse(Exchange exchange, RequestMetrics measured) throws IOException {
        try {
            answer.write(exchange, measured);
        } catch (StatusException e) {
            refuse(exchange, e);
        } catch (ClientDisconnectedException e) {
            exchange.audit().complete(CLIENT_GONE, "the client has disconnected");
            exchange.abort(e);
            return CLIENT_GONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            refuse(exchange, StatusErrors.tooManyRequests("the server is stopping"));
        } catch (IOException | RuntimeException | StackOverflowError | AssertionError e) {
            fail(exchange, e);
        }
        return exchange.response().status();
    }

    private static void refuse(Exchange exchange, StatusException refused) throws IOException {
        if (exchange.response().isCommitted()) {
            LOG.info("response aborted after it had begun: {}", refused.getMessage());
            exchange.abort(refused);
        } else {
            exchange.response().refuse(refused);
        }
    }

    private static void fail(Exchange exchange, Throwable failure) throws IOException {
        if (exchange.response().isCommitted()) {
            abort(exchange, failure);
            return;
        }
        String id = UUID.randomUUID().toString();
        LOG.error("request failed, id {}", id, failure);
        exchange.audit().panic();
        exchange.response().refuse(StatusErrors.internal(id));
    }
}
