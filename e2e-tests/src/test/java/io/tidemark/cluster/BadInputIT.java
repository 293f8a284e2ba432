package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are no objects, keys at which no object belongs, and malformed requests. */
class BadInputIT {
    @TempDir private Path folder;

    @Test
    void badValuesNeverStopThePipelineAndAreAllCounted() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"));
                TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            etcd.putConfigMap("bad", "good", "1");
            Map<String, Bytes> broken =
                    Map.of(
                            "malformed", Bytes.utf8("{\"kind\":\"ConfigMap\",\"metadata\":{"),
                            "empty", Bytes.EMPTY,
                            "binary", Bytes.wrap(new byte[] {0, 1, (byte) 0xff, (byte) 0xfe}),
                            "text", Bytes.utf8("hello"),
                            "array", Bytes.utf8("[1,2]"),
                            "encrypted", Bytes.utf8("k8s:enc:aescbc:v1:key1:abc"),
                            "truncated", Bytes.wrap(new byte[] {'k', '8', 's', 0, 10}),
                            "nameless",
                                    Bytes.utf8("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"}"));
            broken.forEach(
                    (name, value) -> etcd.client().put(TestEtcd.configMapKey("bad", name), value));
            Map<String, Bytes> foreign =
                    Map.of(
                            "/registry/odd", Bytes.utf8("a"),
                            "/registry/", Bytes.utf8("b"),
                            "/registry//double//slash", Bytes.utf8("c"),
                            "/registry/ranges/serviceips", Bytes.wrap(new byte[] {1, 2, 3}),
                            "/registry/spaß/ü", Bytes.utf8("d"));
            foreign.forEach((key, value) -> etcd.client().put(Bytes.utf8(key), value));
            etcd.putConfigMap("bad", "large", "x".repeat(1_400_000));
            long last = etcd.putConfigMap("bad", "after", "2");

            Api api = tidemark.api();
            JsonNode list = api.list("/api/v1/namespaces/bad/configmaps");
            assertThat(list.path("items").findValuesAsText("name"))
                    .containsExactly("after", "good", "large");
            assertThat(Long.parseLong(Api.resourceVersion(list))).isGreaterThanOrEqualTo(last);
            assertThat(list.at("/items/2/data/value").asText()).hasSize(1_400_000);

            assertThat(api.keys("registry/")).isEqualTo(etcd.keys("/registry/"));
            assertThat(api.getInTime("/kv/registry/configmaps/bad/text").body()).isEqualTo("hello");
            assertThat(api.get("/readyz?verbose").body()).contains("unreadable");
        }
    }

    @Test
    void everyMalformedRequestIsAnsweredWithAStatus() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"));
                TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            Api api = tidemark.api();
            String pods = "/api/v1/pods";
            Map<String, Integer> requests =
                    Map.ofEntries(
                            Map.entry(pods + "?limit=abc", 400),
                            Map.entry(pods + "?resourceVersion=abc", 400),
                            Map.entry(pods + "?resourceVersion=-1", 400),
                            Map.entry(pods + "?labelSelector=a%20in%20(", 400),
                            Map.entry(pods + "?fieldSelector=spec.color%3Dred", 400),
                            Map.entry(pods + "?fieldSelector=nonsense", 400),
                            Map.entry(pods + "?continue=abc", 400),
                            Map.entry(pods + "?resourceVersionMatch=Exact", 422),
                            Map.entry(
                                    pods + "?resourceVersion=1&resourceVersionMatch=Sideways", 422),
                            Map.entry(pods + "?sendInitialEvents=true", 422),
                            Map.entry(pods + "?watch=true&resourceVersion=abc", 400),
                            Map.entry(pods + "?watch=true&timeoutSeconds=soon", 400),
                            Map.entry(pods + "?resourceVersion=99999999", 504),
                            Map.entry("/api/v1/unknown", 404),
                            Map.entry("/api/v1/namespaces/default/pods/none", 404));
            List<String> wrong = new ArrayList<>();
            for (Map.Entry<String, Integer> request : requests.entrySet()) {
                Api.Answer answer =
                        request.getValue() == 504
                                ? api.get(request.getKey())
                                : api.getInTime(request.getKey());
                if (answer.status() != request.getValue()
                        || !answer.json().path("kind").asText().equals("Status")
                        || answer.json().path("code").asInt() != request.getValue()
                        || answer.json().path("message").asText().isEmpty()) {
                    wrong.add(request + " answered " + answer);
                }
            }
            Api.Answer post =
                    api.send(api.request(pods).POST(HttpRequest.BodyPublishers.ofString("{}")));
            if (post.status() != 405) {
                wrong.add("POST answered " + post);
            }
            assertThat(wrong).isEmpty();
        }
    }
}
