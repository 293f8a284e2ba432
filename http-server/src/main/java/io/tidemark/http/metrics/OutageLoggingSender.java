package io.tidemark.http.metrics;

import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends metrics, and logs one line when that begins to fail and one when it succeeds again. What
 * was not sent is in the next message, since counters go on. Called by one thread.
 */
final class OutageLoggingSender implements OtlpMetricsSender {
    private static final Logger LOG = LoggerFactory.getLogger(OutageLoggingSender.class);

    private final OtlpMetricsSender http;
    private final URI url;
    private boolean failing;

    OutageLoggingSender(OtlpMetricsSender http, URI url) {
        this.http = http;
        this.url = url;
    }

    @Override
    public void send(Request request) {
        try {
            http.send(request);
            if (failing) {
                LOG.info("metrics are sent to {} again", url);
            }
            failing = false;
        } catch (Exception e) {
            if (!failing) {
                LOG.warn(
                        "metrics cannot be sent to {}; further attempts go on: {}", url, reason(e));
            }
            failing = true;
        }
    }

    /** The collector's answer, or what the connection failed with. */
    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }
}
