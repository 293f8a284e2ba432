package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.kubernetes.KubernetesRoots;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.serving.testing.MirroredCluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mirror that includes Secrets, and nodes that serve or hide them. */
class SecretsHttpTest {
    private static final String PAYLOAD = "aHVudGVyMg==";
    private static final KubernetesRoots ROOTS =
            KubernetesRoots.of(List.of("/registry/", "/kubernetes.io/"));

    private MirroredCluster cluster;
    private QueryNodeFixture without;
    private QueryNodeFixture with;

    @BeforeEach
    void startNodes() {
        cluster = new MirroredCluster(4, 100);
        secret("/registry/secrets/ns/s"); // 101
        secret("/kubernetes.io/secrets/ns/s"); // 102
        secret("/elsewhere/secrets/ns/s"); // 103
        secret("/registry/pods/ns/s"); // 104
        raw("/elsewhere/proto", "k8s\0\n\u000c\n\u0002v1\u0012\u0006Secret" + PAYLOAD); // 105
        raw("/registry/secrets/ns/sealed", "k8s:enc:" + PAYLOAD); // 106
        raw("/elsewhere/turns", "first"); // 107
        secret("/elsewhere/turns"); // 108
        raw("/elsewhere/turns", "last"); // 109
        raw("/elsewhere/plain", "plain"); // 110
        without = new QueryNodeFixture(cluster, config -> everything(config, false));
        with = new QueryNodeFixture(cluster, config -> everything(config, true));
    }

    @AfterEach
    void stopNodes() {
        with.close();
        without.close();
    }

    private static QueryConfig everything(QueryConfig config, boolean secrets) {
        return config.withPrefix(Bytes.utf8("/")).withSecrets(ROOTS, secrets);
    }

    private long secret(String key) {
        return cluster.put(
                key,
                at ->
                        ("{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"s\","
                                        + "\"namespace\":\"ns\",\"resourceVersion\":\"%d\"},"
                                        + "\"data\":{\"p\":\"%s\"}}")
                                .formatted(at, PAYLOAD));
    }

    private long raw(String key, String value) {
        return cluster.raw(Bytes.utf8(key), value.getBytes(StandardCharsets.UTF_8), "");
    }

    @Test
    void refusesAGet() throws Exception {
        for (String key :
                List.of(
                        "registry/secrets/ns/s",
                        "registry/secrets/ns/sealed",
                        "registry/secrets/ns/none",
                        "kubernetes.io/secrets/ns/s",
                        "kubernetes.io/secrets/",
                        "elsewhere/secrets/ns/s",
                        "elsewhere/proto",
                        "registry/pods/ns/s",
                        "elsewhere/turns?resourceVersion=108&resourceVersionMatch=Exact")) {
            var answer = without.client.get("/kv/" + key);
            assertThat(answer.status()).as(key).isEqualTo(404);
            assertThat(answer.text()).contains("it is a Secret");
        }
        assertThat(with.client.get("/kv/elsewhere/secrets/ns/s").text()).contains(PAYLOAD);
        assertThat(with.client.get("/kv/registry/secrets/ns/sealed").text()).contains(PAYLOAD);
    }

    @Test
    void leavesThemOutOfLists() throws Exception {
        for (String path : List.of("/kv/", "/kv/?limit=1", "/kv/registry/sec?prefix=true")) {
            String token = "";
            StringBuilder all = new StringBuilder();
            do {
                var page = without.client.get(path + (token.isEmpty() ? "" : "&continue=" + token));
                all.append(page.text());
                token = page.continueToken();
            } while (!token.isEmpty());
            assertThat(all.toString()).doesNotContain(PAYLOAD).doesNotContain("secrets/ns");
        }
        JsonNode items = without.client.get("/kv/").json().path("items");
        assertThat(items.findValuesAsText("key"))
                .containsExactly("/elsewhere/plain", "/elsewhere/turns");
        assertThat(with.client.get("/kv/").json().path("items")).hasSize(8);
    }

    /** Neither by a key nor by a number of keys. */
    @Test
    void leavesThemOutOfListsWithoutValuesAndOutOfCounts() throws Exception {
        raw("/elsewhere/json", "{\"kind\":\"Secret\",\"apiVersion\":\"v1\"}"); // 111
        JsonNode all = without.client.get("/kv/?values=false").json();
        assertThat(all.path("items").findValuesAsText("key"))
                .containsExactly("/elsewhere/plain", "/elsewhere/turns");
        for (String values : List.of("", "&values=false")) {
            JsonNode first = without.client.get("/kv/?limit=1" + values).json();
            assertThat(first.at("/items/0/key").asText()).isEqualTo("/elsewhere/plain");
            assertThat(first.at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
            JsonNode only = without.client.get("/kv/elsewhere/turns?prefix=true&limit=1").json();
            assertThat(only.at("/metadata/continue").asText()).isEmpty();
        }
        JsonNode shown = with.client.get("/kv/?values=false&limit=1").json();
        assertThat(shown.at("/metadata/remainingItemCount").asInt()).isEqualTo(8);
    }

    @Test
    void sendsADeletionWhenAKeyBecomesOne() throws Exception {
        try (Watch watch = without.client.watch("/kv/elsewhere/?watch&resourceVersion=106");
                Watch live = without.client.watch("/kv/elsewhere/?watch&resourceVersion=110")) {
            assertThat(eventOf(watch)).isEqualTo("ADDED first");
            assertThat(eventOf(watch)).isEqualTo("DELETED first");
            assertThat(eventOf(watch)).isEqualTo("ADDED last");
            assertThat(eventOf(watch)).isEqualTo("ADDED plain");
            secret("/elsewhere/new"); // 111
            secret("/elsewhere/plain"); // 112
            cluster.delete(Bytes.utf8("/elsewhere/plain")); // 113
            raw("/elsewhere/end", "end"); // 114
            for (Watch each : List.of(watch, live)) {
                assertThat(eventOf(each)).isEqualTo("DELETED plain");
                assertThat(eventOf(each)).isEqualTo("ADDED end");
            }
        }
        assertThat(
                        without.client
                                .get("/kv/?watch&longPoll&resourceVersion=101&timeoutSeconds=5")
                                .text())
                .contains("plain")
                .doesNotContain(PAYLOAD);
    }

    private static String eventOf(Watch watch) throws Exception {
        JsonNode event = watch.next();
        return event.path("type").asText() + " " + event.at("/object/value").asText();
    }

    @Test
    void marksThemInHistories() throws Exception {
        JsonNode history = without.client.get("/kv/elsewhere/turns?history=true").json();
        assertThat(history.path("items")).hasSize(3);
        assertThat(history.at("/items/0/object/value").asText()).isEqualTo("first");
        assertThat(history.at("/items/1/problem").asText()).isEqualTo(Change.Put.WITHHELD);
        assertThat(history.toString()).doesNotContain(PAYLOAD);
        assertThat(without.client.get("/kv/registry/secrets/ns/s?history=true").status())
                .isEqualTo(404);
    }

    @Test
    void hidesWithheldValuesFromAllClients() throws Exception {
        cluster.raw(Bytes.utf8("/elsewhere/plain"), new byte[0], Change.Put.WITHHELD);
        for (QueryNodeFixture node : List.of(with, without)) {
            assertThat(node.client.get("/kv/elsewhere/plain").status()).isEqualTo(404);
            assertThat(node.client.get("/kv/elsewhere/").text())
                    .contains("/elsewhere/turns")
                    .doesNotContain("plain");
        }
    }

    @Test
    void hidesThemInKubernetesResources() throws Exception {
        try (QueryNodeFixture node =
                new QueryNodeFixture(cluster, config -> config.withSecrets(ROOTS, false))) {
            var one = node.client.get("/api/v1/namespaces/ns/pods/s");
            assertThat(one.status()).isEqualTo(500);
            assertThat(one.text()).contains(Change.Put.WITHHELD).doesNotContain(PAYLOAD);
            for (String path :
                    List.of(
                            "/api/v1/pods",
                            "/api/v1/pods?fieldSelector=metadata.name%3Ds",
                            "/api/v1/namespaces/ns/pods?fieldSelector=metadata.name%3Ds",
                            "/api/v1/namespaces/ns/pods/s?history=true",
                            "/api/v1/namespaces/ns/secrets")) {
                var answer = node.client.get(path);
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).doesNotContain(PAYLOAD).doesNotContain("\"name\":\"s\"");
            }
        }
    }
}
