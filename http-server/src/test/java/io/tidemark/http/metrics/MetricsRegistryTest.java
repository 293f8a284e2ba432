package io.tidemark.http.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.Metric;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class MetricsRegistryTest {
    private static final String OPEN_METRICS =
            "application/openmetrics-text;version=1.0.0,*/*;q=0.1";
    private static final TraceParent TRACE =
            new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

    private final CopyOnWriteArrayList<ExportMetricsServiceRequest> received =
            new CopyOnWriteArrayList<>();
    private HttpServer collector;
    private volatile int status = 200;

    @BeforeEach
    void collect() throws Exception {
        collector =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext(
                "/v1/metrics",
                exchange -> {
                    received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        collector.start();
    }

    @AfterEach
    void stop() {
        collector.stop(0);
    }

    private OtlpSettings settings() {
        return new OtlpSettings(
                URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics"),
                Duration.ofSeconds(1));
    }

    private static Timer timer(MetricsRegistry registry) {
        return Timer.builder("work")
                .serviceLevelObjectives(Duration.ofMillis(5))
                .register(registry.meters());
    }

    @Test
    void sendsWhatItServes() {
        try (MetricsRegistry registry = new MetricsRegistry(Optional.of(settings()), "service")) {
            Timer timer = timer(registry);
            registry.onExport(() -> Gauge.builder("late", () -> 7).register(registry.meters()));
            registry.measure(Optional.of(TRACE), () -> timer.record(3, TimeUnit.MILLISECONDS));
            Awaitility.await()
                    .untilAsserted(() -> {
                        Map<String, Metric> metrics = newest();
                        assertThat(metrics).containsKeys("work", "late");
                        assertThat(metrics.get("work").getHistogram().getDataPoints(0).getCount())
                                .isEqualTo(1);
                        assertThat(metrics.get("late").getGauge().getDataPoints(0).getAsDouble())
                                .isEqualTo(7);
                    });
            assertThat(registry.scrape("")).contains("work_seconds_count 1").contains("late 7.0");
        }
        assertThat(
                        received
                                .getFirst()
                                .getResourceMetrics(0)
                                .getResource()
                                .getAttributesList()
                                .stream()
                                .map(each ->
                                        each.getKey() + "=" + each.getValue().getStringValue()))
                .contains("service.name=service");
    }

    private Map<String, Metric> newest() {
        assertThat(received).isNotEmpty();
        return received.getLast().getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                .collect(
                        Collectors.toMap(Metric::getName, each -> each, (a, _) -> a, TreeMap::new));
    }

    @Test
    void goesOnWhenTheCollectorFails() {
        status = 500;
        try (MetricsRegistry registry = new MetricsRegistry(Optional.of(settings()), "service")) {
            timer(registry).record(3, TimeUnit.MILLISECONDS);
            Awaitility.await().until(() -> received.size() >= 2);
            assertThat(registry.scrape("")).contains("work_seconds_count 1");
        }
    }

    @Test
    void logsAnOutageOnce() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(OutageLoggingSender.class);
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        AtomicBoolean works = new AtomicBoolean();
        OutageLoggingSender sender =
                new OutageLoggingSender(
                        _ -> {
                            if (!works.get()) {
                                throw new IOException("refused");
                            }
                        },
                        URI.create("http://collector/"));
        OtlpMetricsSender.Request request =
                OtlpMetricsSender.Request.builder(new byte[0]).address("http://collector/").build();
        sender.send(request);
        sender.send(request);
        works.set(true);
        sender.send(request);
        sender.send(request);
        logger.detachAppender(log);
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
                .containsExactly(
                        "metrics cannot be sent to http://collector/; further attempts go on:"
                                + " refused",
                        "metrics are sent to http://collector/ again");
    }

    @Test
    void showsTheTraceOfARequestToThoseWhoAcceptOpenMetrics() {
        try (MetricsRegistry registry = new MetricsRegistry(Optional.empty(), "service")) {
            Timer timer = timer(registry);
            registry.measure(Optional.of(TRACE), () -> timer.record(3, TimeUnit.MILLISECONDS));
            assertThat(registry.scrape(OPEN_METRICS))
                    .contains("trace_id=\"" + TRACE.traceId() + "\"")
                    .endsWith("# EOF\n");
            assertThat(registry.scrape("text/plain")).doesNotContain("trace_id");
        }
        assertThat(MetricsRegistry.contentType(OPEN_METRICS)).contains("openmetrics");
        assertThat(MetricsRegistry.contentType("*/*")).startsWith("text/plain; version=0.0.4");
    }

    @Test
    void showsNoTraceOfARequestThatHasNone() {
        try (MetricsRegistry registry = new MetricsRegistry(Optional.empty(), "service")) {
            Timer timer = timer(registry);
            registry.measure(Optional.empty(), () -> timer.record(3, TimeUnit.MILLISECONDS));
            assertThat(registry.scrape(OPEN_METRICS))
                    .contains("work_seconds_count 1")
                    .doesNotContain("trace_id");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"collector:4318", "ftp://collector/", "http:///v1/metrics"})
    void refusesAnUrlThatIsNone(String url) {
        assertThatThrownBy(() -> new OtlpSettings(URI.create(url), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("like http://collector:4318/v1/metrics");
    }

    @Test
    void refusesAnIntervalBelowASecond() {
        assertThatThrownBy(() -> new OtlpSettings(URI.create("http://c/"), Duration.ofMillis(999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a second or more, not 999 ms");
    }
}
