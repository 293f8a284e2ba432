package io.tidemark.http.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpExemplarContext;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a process's metrics. {@link #scrape} writes them in Prometheus' formats; with {@link
 * OtlpSettings} they are sent besides, by a thread of the registry, which goes on after a failure.
 * Histograms keep the traces of some requests as exemplars. Thread-safe.
 */
public final class MetricsRegistry implements AutoCloseable {
    /** A collector that does not answer must not delay the end of the process. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(2);

    private final ThreadLocal<@Nullable TraceParent> trace = new ThreadLocal<>();
    private final PrometheusMeterRegistry prometheus =
            new PrometheusMeterRegistry(
                    PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new Spans());
    private final MeterRegistry meters;
    private volatile Runnable refresh = () -> {};

    /**
     * @param otlp empty for no export
     * @param service the name of the service there, unless {@code OTEL_SERVICE_NAME} or the
     *     resource's attributes say another
     */
    public MetricsRegistry(Optional<OtlpSettings> otlp, String service) {
        meters = otlp.map(settings -> withExport(settings, service)).orElse(prometheus);
    }

    private MeterRegistry withExport(OtlpSettings settings, String service) {
        OtlpMetricsSender sender =
                new OutageLoggingSender(
                        new OtlpHttpMetricsSender(
                                new HttpUrlConnectionSender(CONNECT_TIMEOUT, READ_TIMEOUT)),
                        settings.url());
        CompositeMeterRegistry both = new CompositeMeterRegistry();
        both.add(prometheus);
        OtlpMeterRegistry sent =
                OtlpMeterRegistry.builder(new Export(settings, service))
                        .metricsSender(request -> {
                            refresh.run();
                            sender.send(request);
                        })
                        .exemplarContextProvider(this::exemplar)
                        .build();
        both.add(sent);
        return both;
    }

    private @Nullable OtlpExemplarContext exemplar() {
        TraceParent current = trace.get();
        return current == null
                ? null
                : new OtlpExemplarContext(current.traceId(), current.spanId());
    }

    /** Where meters are registered. */
    public MeterRegistry meters() {
        return meters;
    }

    /** Runs at each export; what it registers or changes is in the next one. */
    public void onExport(Runnable newRefresh) {
        refresh = newRefresh;
    }

    /** Runs a measurement of a request, whose trace may then become an exemplar. */
    public void measure(Optional<TraceParent> of, Runnable measurement) {
        if (of.isEmpty()) {
            measurement.run();
            return;
        }
        trace.set(of.get());
        try {
            measurement.run();
        } finally {
            trace.remove();
        }
    }

    /** All metrics, in the format that {@link #contentType} names for the same header. */
    public String scrape(String accept) {
        return prometheus.scrape(contentType(accept));
    }

    /** OpenMetrics for those who accept it, which has exemplars; else Prometheus' text. */
    public static String contentType(String accept) {
        return accept.contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
    }

    @Override
    public void close() {
        meters.close();
        prometheus.close();
    }

    private record Export(OtlpSettings settings, String service) implements OtlpConfig {
        @Override
        public @Nullable String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return settings.url().toString();
        }

        @Override
        public Duration step() {
            return settings.interval();
        }

        @Override
        public Map<String, String> resourceAttributes() {
            Map<String, String> attributes = new HashMap<>(OtlpConfig.super.resourceAttributes());
            attributes.putIfAbsent("service.name", service);
            return attributes;
        }
    }

    /** The trace of the request that is measured, as Prometheus' client asks for it. */
    private final class Spans implements SpanContext {
        @Override
        public @Nullable String getCurrentTraceId() {
            TraceParent current = trace.get();
            return current == null ? null : current.traceId();
        }

        @Override
        public @Nullable String getCurrentSpanId() {
            TraceParent current = trace.get();
            return current == null ? null : current.spanId();
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return trace.get() != null;
        }

        @Override
        public void markCurrentSpanAsExemplar() {
            // The caller's span is the caller's to mark.
        }
    }
}
