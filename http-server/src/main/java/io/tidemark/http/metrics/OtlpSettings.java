package io.tidemark.http.metrics;

import java.net.URI;
import java.time.Duration;

/**
 * Where metrics are sent by OTLP over HTTP. Headers, such as a token, come from the variable {@code
 * OTEL_EXPORTER_OTLP_HEADERS}, attributes of the resource from {@code OTEL_RESOURCE_ATTRIBUTES}, as
 * OpenTelemetry's specification of SDK variables says.
 *
 * @param url such as {@code http://collector:4318/v1/metrics}
 * @param interval from one message to the next, a second at least
 */
public record OtlpSettings(URI url, Duration interval) {
    public OtlpSettings {
        if (url.getHost() == null
                || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
            throw new IllegalArgumentException(
                    "an OTLP URL is like http://collector:4318/v1/metrics, not " + url);
        }
        if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "the interval of OTLP must be a second or more, not %d ms"
                            .formatted(interval.toMillis()));
        }
    }
}
