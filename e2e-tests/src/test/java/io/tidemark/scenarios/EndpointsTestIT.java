package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Api.Answer;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.record.Bytes;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * endpoints/apiserver_test.go, endpoints/watch_test.go, endpoints/handlers/watch_test.go and
 * responsewriters/writers_test.go. Omitted: writes and binary bodies.
 */
@ExtendWith(SharedCluster.class)
class EndpointsTestIT {
    private static final String META = ";v=v1;g=meta.k8s.io";

    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    EndpointsTestIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** TestNotFound: unknown verbs and paths. */
    @Scenario
    void notFound() throws Exception {
        Map<String, String> cases =
                Map.of(
                        "GET /api/v1/nothing", "404 NotFound",
                        "GET /api/v1/namespaces/a/nothing", "404 NotFound",
                        "GET /api/v1/namespaces/a/pods/b/nothing/more", "404 NotFound",
                        "GET /api/v1/watch/nothing", "404 NotFound",
                        "GET /apis/apps/v9/deployments", "404 NotFound",
                        "POST /api/v1/namespaces/a/pods", "405 MethodNotAllowed",
                        "PUT /api/v1/namespaces/a/pods/b", "405 MethodNotAllowed",
                        "PATCH /api/v1/namespaces/a/pods/b", "405 MethodNotAllowed",
                        "DELETE /api/v1/namespaces/a/pods", "405 MethodNotAllowed",
                        "DELETE /api/v1/namespaces/a/pods/b", "405 MethodNotAllowed");
        for (Map.Entry<String, String> each : cases.entrySet()) {
            String[] asked = each.getKey().split(" ");
            Answer answer =
                    cluster.api()
                            .send(
                                    cluster.api()
                                            .request(asked[1])
                                            .method(asked[0], HttpRequest.BodyPublishers.noBody()));
            assertThat(AnswerSummary.refusal(answer)).as(each.getKey()).isEqualTo(each.getValue());
        }
        for (String nowhere : List.of("/nothing", "/apis/none.example/v1/things", "/api//v1")) {
            assertThat(cluster.api().get(nowhere).status()).as(nowhere).isEqualTo(404);
        }
    }

    /** TestGetMissing, TestRequestsWithInvalidQuery, TestWatchHTTPErrorsBeforeServe. */
    @Scenario
    void invalidQuery() throws Exception {
        String list = pods.path("a");
        for (String wrong :
                List.of(
                        "?labelSelector=a%20in%20(",
                        "?fieldSelector=nonsense",
                        "?fieldSelector=spec.nothing%3Dx",
                        "?limit=x",
                        "?timeoutSeconds=x",
                        "?timeout=x",
                        "?watch=true&resourceVersion=x",
                        "?watch=true&labelSelector=%3D",
                        "?watch=true&timeoutSeconds=x")) {
            assertThat(AnswerSummary.refusal(cluster.api().get(list + wrong)))
                    .as(wrong)
                    .isEqualTo("400 BadRequest");
        }
    }

    /** TestGetCompression, TestListCompression: only large answers, and only on request. */
    @Scenario
    void compression() throws Exception {
        String ns = ScenarioCluster.space();
        String note = "n".repeat(200_000);
        cluster.etcd()
                .client()
                .put(
                        pods.key(ns, "large"),
                        Bytes.utf8(
                                ("{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":"
                                                + "\"large\",\"namespace\":\"%s\"},"
                                                + "\"note\":\"%s\"}")
                                        .formatted(ns, note)));
        long small = pods.put(ns + "-small", "small");
        for (String path : List.of(pods.path(ns), pods.path(ns, "large"))) {
            JsonNode plain = cluster.read(path + "?resourceVersion=" + small);
            TestHttpClient.Answer packed =
                    ask(path + "?resourceVersion=" + small, "Accept-Encoding", "gzip");
            assertThat(packed.header("Content-Encoding")).isEqualTo("gzip");
            assertThat(packed.body().length).isLessThan(20_000);
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
                JsonNode unpacked = Api.JSON.readTree(in);
                assertThat(unpacked.path("kind")).isEqualTo(plain.path("kind"));
                assertThat(unpacked.toString()).contains(note);
            }
        }
        TestHttpClient.Answer unpacked = ask(pods.path(ns + "-small"), "Accept-Encoding", "gzip");
        assertThat(unpacked.header("Content-Encoding")).isEmpty();
    }

    /** TestGetPretty. */
    @Scenario
    void pretty() throws Exception {
        String ns = ScenarioCluster.space();
        pods.put(ns, "foo");
        String path = pods.path(ns, "foo");
        JsonNode plain = cluster.read(path);
        for (String query : List.of("?pretty=1", "?pretty=true")) {
            Answer pretty = cluster.api().getInTime(path + query);
            assertThat(pretty.body()).startsWith("{\n  \"");
            assertThat(pretty.json()).isEqualTo(plain);
        }
        assertThat(cluster.api().getInTime(path + "?pretty=false").body()).startsWith("{\"kind\"");
    }

    /** TestGetTable, TestGetPartialObjectMetadata, TestWatchHTTPAccept. */
    @Scenario
    void representations() throws Exception {
        String ns = ScenarioCluster.space();
        pods.put(ns, "foo");
        String at = "?resourceVersion=" + Api.resourceVersion(cluster.read(pods.path(ns)));
        JsonNode table = as(pods.path(ns) + at, "application/json;as=Table" + META);
        assertThat(table.path("kind").asText()).isEqualTo("Table");
        assertThat(table.path("rows").path(0).path("cells").path(0).asText()).isEqualTo("foo");
        JsonNode list =
                as(pods.path(ns) + at, "application/json;as=PartialObjectMetadataList" + META);
        assertThat(list.path("kind").asText()).isEqualTo("PartialObjectMetadataList");
        assertThat(list.path("items").path(0).has("spec")).isFalse();
        for (String wrong : List.of("text/html", "application/xml")) {
            for (String path : List.of(pods.path(ns), pods.path(ns) + "?watch=true")) {
                TestHttpClient.Answer refused = ask(path, "Accept", wrong);
                assertThat(refused.status()).as(path).isEqualTo(406);
                assertThat(Api.JSON.readTree(refused.body()).path("reason").asText())
                        .isEqualTo("NotAcceptable");
            }
        }
    }

    /** TestWatchTable: the column definitions come once. */
    @Scenario
    void watchTable() throws Exception {
        String ns = ScenarioCluster.space();
        pods.put(ns, "a");
        pods.put(ns, "b");
        JsonNode _ = cluster.read(pods.path(ns));
        String path = pods.path(ns) + "?watch=true&timeoutSeconds=1&resourceVersion=0";
        TestHttpClient.Answer answer = ask(path, "Accept", "application/json;as=Table" + META);
        List<String> lines = Bytes.wrap(answer.body()).utf8().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).contains("columnDefinitions\":[{");
        assertThat(lines.getLast()).doesNotContain("columnDefinitions\":[{");
    }

    /** TestWatchHTTPTimeout: a clean end, without an event. */
    @Scenario
    void watchTimeout() throws Exception {
        String path = pods.path(ScenarioCluster.space());
        String query = "timeoutSeconds=1&resourceVersion=0";
        try (ScenarioWatch watch = ScenarioWatch.open(cluster.api(), path, query)) {
            assertThat(watch.rest()).isEmpty();
        }
    }

    private JsonNode as(String path, String accept) throws Exception {
        return Api.JSON.readTree(ask(path, "Accept", accept).body());
    }

    private TestHttpClient.Answer ask(String path, String... headers) throws Exception {
        return cluster.api().http().get(path, headers);
    }
}
