package io.tidemark.standalone.options;

import io.tidemark.client.Durations;
import io.tidemark.client.UsageException;
import io.tidemark.http.metrics.OtlpSettings;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a process sends its metrics. */
public final class OtlpOptions {
    @Option(
            names = "--otlp",
            paramLabel = "URL",
            description = {
                "Send the metrics by OTLP over HTTP, such as to http://collector:4318/v1/metrics."
                        + " Headers, such as a",
                "token, come from the variable OTEL_EXPORTER_OTLP_HEADERS, attributes from"
                        + " OTEL_RESOURCE_ATTRIBUTES."
            })
    private @Nullable URI url;

    @Option(
            names = "--otlp-interval",
            paramLabel = "DURATION",
            converter = Durations.class,
            description = "Time from one such message to the next (default: 1m).")
    private Duration interval = Duration.ofMinutes(1);

    /**
     * Empty without {@code --otlp}.
     *
     * @throws UsageException if a value cannot be used
     */
    public Optional<OtlpSettings> settings() {
        URI given = url;
        return given == null
                ? Optional.empty()
                : Optional.of(UsageException.unlessValid(() -> new OtlpSettings(given, interval)));
    }
}
