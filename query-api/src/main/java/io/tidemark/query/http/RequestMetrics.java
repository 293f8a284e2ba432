package io.tidemark.query.http;

import io.tidemark.http.metrics.TraceParent;
import io.tidemark.query.http.exchange.QueryMetrics;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the metrics say about one request: its labels, as far as they are known, and its time. */
final class RequestMetrics {
    private final QueryMetrics metrics;
    private final @Nullable String traceParent;
    private final long began = System.nanoTime();
    private String verb = "unknown";
    private String resource = "";

    /**
     * @param traceParent the request's header of this name; null when absent
     */
    RequestMetrics(QueryMetrics metrics, @Nullable String traceParent) {
        this.metrics = metrics;
        this.traceParent = traceParent;
    }

    void verb(String known) {
        verb = known;
    }

    void resource(String known) {
        resource = known;
    }

    /** Counts the request; once, when its response has ended. */
    void ended(int status) {
        metrics.request(
                verb,
                resource,
                status,
                System.nanoTime() - began,
                Optional.ofNullable(traceParent).flatMap(TraceParent::parse));
    }
}
