package io.tidemark.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.metrics.v1.ResourceMetrics;
import io.tidemark.harness.Api;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference names what a live node and a live connector serve, and nothing else. */
class MetricsReferenceIT {
    /** Served only after a fault that this test does not make. */
    private static final Set<String> AFTER_FAULTS = Set.of("tidemark_selfcheck_mismatches_total");

    @TempDir private Path folder;

    @Test
    void theReferenceIsComplete() throws Exception {
        Map<String, Set<String>> sent = new ConcurrentHashMap<>();
        HttpServer collector = collector(sent);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"), Security.everywhere())) {
            // The connector counts etcd's keys at the self-check alone, which may soon follow.
            etcd.client().put(Bytes.utf8("/registry/pods/a/broken"), Bytes.utf8("k8s\0no object"));
            etcd.putConfigMap("a", "b", "v");
            try (TidemarkProcess tidemark = start(etcd, collector.getAddress().getPort())) {
                etcd.putConfigMap("a", "b", "changed");
                Api api = tidemark.api();
                api.get("/api/v1/configmaps");
                api.get("/api/v1/namespaces/a/configmaps?labelSelector=a%3Db");
                api.get(
                        "/api/v1/configmaps?watch=true&resourceVersion=0&sendInitialEvents=true"
                                + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
                                + "&timeoutSeconds=5");
                Api connector = connector(api);
                Set<String> wanted = new TreeSet<>(Metrics.documented());
                wanted.removeAll(AFTER_FAULTS);
                Awaitility.await()
                        .untilAsserted(
                                () -> assertThat(served(api, connector)).containsAll(wanted));
                assertThat(connector.get("/metrics").body())
                        .contains(
                                "tidemark_connector_etcd_keys{resource=\"/registry/configmaps/\"}"
                                        + " 1.0");
                assertThat(served(api, connector))
                        .as("all that is served is described")
                        .isSubsetOf(Metrics.documented());
                Awaitility.await()
                        .untilAsserted(() -> {
                            assertThat(sent.getOrDefault("tidemark-node", Set.of()))
                                    .contains("apiserver.request", "tidemark.partition.floor");
                            assertThat(sent.getOrDefault("tidemark-connector", Set.of()))
                                    .contains("tidemark.connector.revision");
                        });
            }
        } finally {
            collector.stop(0);
        }
    }

    private TidemarkProcess start(TestEtcd etcd, int collector) throws Exception {
        int port = Ports.pickFree("127.0.0.1");
        return TidemarkProcess.start(
                port,
                folder.resolve("up.log"),
                List.of("-Xmx1g", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "up",
                        "--data",
                        folder.resolve("data").toString(),
                        "--etcd",
                        etcd.endpoint(),
                        "--listen",
                        "127.0.0.1:" + port,
                        "--audit-log",
                        folder.resolve("audit.log").toString(),
                        "--otlp",
                        "http://127.0.0.1:%d/v1/metrics".formatted(collector),
                        "--otlp-interval",
                        "1s"),
                Security.everywhere());
    }

    /** Collects the names of metrics by service, as OTLP sends them. */
    private static HttpServer collector(Map<String, Set<String>> sent) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/v1/metrics",
                exchange -> {
                    for (ResourceMetrics each :
                            ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody())
                                    .getResourceMetricsList()) {
                        String service =
                                each.getResource().getAttributesList().stream()
                                        .filter(name -> name.getKey().equals("service.name"))
                                        .findFirst()
                                        .orElseThrow()
                                        .getValue()
                                        .getStringValue();
                        Set<String> names =
                                sent.computeIfAbsent(service, _ -> ConcurrentHashMap.newKeySet());
                        each.getScopeMetricsList().stream()
                                .flatMap(scope -> scope.getMetricsList().stream())
                                .forEach(metric -> names.add(metric.getName()));
                    }
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        server.start();
        return server;
    }

    /** What the dashboards and the alerts name is described, and so exists. */
    @Test
    void dashboardsAndAlertsNameNothingElse() throws Exception {
        Set<String> documented = Metrics.documented();
        try (Stream<Path> files = Files.walk(Path.of("..", "deploy"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                for (String metric : Metrics.named(Files.readString(file))) {
                    assertThat(documented).as(file + " " + metric).contains(Metrics.base(metric));
                }
            }
        }
    }

    private static Set<String> served(Api... processes) throws Exception {
        Set<String> served = new TreeSet<>();
        for (Api each : processes) {
            served.addAll(Metrics.served(each.get("/metrics").body()));
        }
        return served;
    }

    /** The connector's interface: a busy node may not reach it at once. */
    private static Api connector(Api api) throws Exception {
        JsonNode url =
                Awaitility.await()
                        .until(
                                () -> api.list("/cluster").at("/connector/url"),
                                JsonNode::isTextual);
        return new Api(url.asText(), Security.everywhere().client());
    }
}
