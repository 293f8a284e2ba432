package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.Definitions;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Subresources are derived from the stored object. */
class SubresourcesHttpTest {
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/n/deployments/web";
    private static final String FLEET = "/apis/example.com/v1/namespaces/n/fleets/";

    private static MirroredCluster cluster;
    private static LiveCatalog catalog;
    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("n", "one", Map.of()); // 101
        put("/registry/deployments/n/web", "Deployment", "apps/v1", "web", DEPLOYED); // 102
        put("/registry/controllers/n/old", "ReplicationController", "v1", "old", CONTROLLER);
        put(
                "/registry/apiextensions.k8s.io/customresourcedefinitions/fleets.example.com",
                "CustomResourceDefinition",
                "apiextensions.k8s.io/v1",
                "fleets.example.com",
                DEFINITION);
        put("/registry/example.com/fleets/n/a", "Fleet", "example.com/v1", "a", FLEET_OF_FIVE);
        put("/registry/example.com/fleets/n/b", "Fleet", "example.com/v1", "b", "\"spec\":{}");
        put("/registry/namespaces/n", "Namespace", "v1", "n", "\"status\":{}");
        catalog = Definitions.catalog(cluster);
        fixture = new QueryNodeFixture(cluster, config -> config, catalog::current);
    }

    private static final String DEPLOYED =
            """
            "spec":{"replicas":3,"selector":{"matchLabels":{"b":"2","a":"1"},
             "matchExpressions":[{"key":"c","operator":"In","values":["y","x"]}]}},
            "status":{"replicas":2}\
            """;
    private static final String CONTROLLER =
            """
            "spec":{"replicas":0,"selector":{"app":"old","app.k8s.io/a":"b"}},"status":{"replicas":0}\
            """;
    private static final String DEFINITION =
            """
            "spec":{"group":"example.com","scope":"Namespaced",
             "names":{"plural":"fleets","kind":"Fleet"},"versions":[{"name":"v1","served":true,
              "storage":true,"subresources":{"scale":{"specReplicasPath":".spec.ships",
               "statusReplicasPath":".status.afloat","labelSelectorPath":".status.who"}},
              "schema":{"openAPIV3Schema":{"type":"object",
               "x-kubernetes-preserve-unknown-fields":true}}}]}\
            """;
    private static final String FLEET_OF_FIVE =
            """
            "spec":{"ships":5},"status":{"afloat":4,"who":"fleet=a"}\
            """;

    private static void put(String key, String kind, String apiVersion, String name, String rest) {
        cluster.put(
                key,
                at ->
                        """
                        {"kind":"%s","apiVersion":"%s","metadata":{"name":"%s","namespace":"n",\
                        "uid":"u-%s","resourceVersion":"%d","labels":{"l":"1"},\
                        "creationTimestamp":"2026-11-21T08:00:00Z"},%s}\
                        """
                                .formatted(kind, apiVersion, name, name, at, rest)
                                .replace("\n", ""));
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
        catalog.close();
    }

    private static Answer get(String path, String... headers) throws Exception {
        return fixture.client.get(path, headers);
    }

    @Test
    void servesTheObjectAsStatus() throws Exception {
        String pod = "/api/v1/namespaces/n/pods/one";
        for (String part : new String[] {"/status", "/resize", "/ephemeralcontainers"}) {
            assertThat(get(pod + part).text()).isEqualTo(get(pod).text());
        }
        assertThat(get("/api/v1/namespaces/n/status").json().path("kind").asText())
                .isEqualTo("Namespace");
        assertThat(get("/api/v1/namespaces/n/pods/none/status").message())
                .isEqualTo("pods \"none\" not found");
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        assertThat(get(DEPLOYMENT + "/status", "Accept", table).json().at("/columnDefinitions"))
                .isEqualTo(get(DEPLOYMENT, "Accept", table).json().at("/columnDefinitions"));
    }

    /** The right to read a scale is none to read the object. */
    @Test
    void refusesTheHistoryOfAScale() throws Exception {
        for (String scaled : new String[] {DEPLOYMENT, FLEET + "a"}) {
            assertThat(get(scaled + "?history=true").status()).isEqualTo(200);
            Answer refused = get(scaled + "/scale?history=true");
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.message()).contains("not of its scale");
        }
    }

    @Test
    void servesReplicasAndSelectorAsScale() throws Exception {
        assertThat(get(DEPLOYMENT + "/scale").text())
                .isEqualTo(
                        "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{"
                                + "\"name\":\"web\",\"namespace\":\"n\",\"uid\":\"u-web\","
                                + "\"resourceVersion\":\"102\",\"creationTimestamp\":"
                                + "\"2026-11-21T08:00:00Z\"},\"spec\":{\"replicas\":3},\"status\":{"
                                + "\"replicas\":2,\"selector\":\"a=1,b=2,c in (x,y)\"}}\n");
        JsonNode old = get("/api/v1/namespaces/n/replicationcontrollers/old/scale").json();
        assertThat(old.path("spec")).hasToString("{}");
        assertThat(old.path("status"))
                .hasToString("{\"replicas\":0,\"selector\":\"app=old,app.k8s.io/a=b\"}");
        assertThat(get("/api/v1/namespaces/n/pods/one/scale").status()).isEqualTo(404);
    }

    @Test
    void servesScaleInAllForms() throws Exception {
        JsonNode table =
                get(DEPLOYMENT + "/scale", "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
                        .json();
        assertThat(table.at("/metadata/resourceVersion").asText()).isEqualTo("102");
        assertThat(table.at("/rows/0/cells/0").asText()).isEqualTo("web");
        assertThat(table.at("/rows/0/cells/1").asInt()).isEqualTo(3);
        assertThat(table.at("/rows/0/cells/2").asInt()).isEqualTo(2);
        assertThat(table.at("/rows/0/object/metadata").has("labels")).isFalse();
        assertThat(get(DEPLOYMENT + "/scale", "Accept", "application/yaml").text())
                .startsWith("apiVersion: autoscaling/v1\nkind: Scale\n");
        assertThat(
                        get(
                                        DEPLOYMENT + "/scale",
                                        "Accept",
                                        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
                                .json()
                                .has("spec"))
                .isFalse();
    }

    @Test
    void usesTheScalePathsOfTheDefinition() throws Exception {
        JsonNode scale = get(FLEET + "a/scale").json();
        assertThat(scale.path("kind").asText()).isEqualTo("Scale");
        assertThat(scale.path("spec")).hasToString("{\"replicas\":5}");
        assertThat(scale.path("status")).hasToString("{\"replicas\":4,\"selector\":\"fleet=a\"}");
        String metadata = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
        assertThat(get(FLEET + "a/scale", "Accept", metadata).json().at("/metadata/name").asText())
                .isEqualTo("a");
        Answer none = get(FLEET + "b/scale");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.message())
                .isEqualTo("the spec replicas field \".spec.ships\" does not exist");
    }

    @Test
    void refusesUndeclaredSubresources() throws Exception {
        Answer status = get(FLEET + "a/status");
        assertThat(status.status()).isEqualTo(404);
        assertThat(status.message()).isEqualTo("fleets.example.com \"a\" not found");
    }

    @Test
    void explainsThatUnstoredSubresourcesNeedTheApiServer() throws Exception {
        for (String part : new String[] {"log", "exec", "attach", "portforward", "proxy/a/b"}) {
            Answer answer = get("/api/v1/namespaces/n/pods/one/" + part);
            assertThat(answer.status()).as(part).isEqualTo(405);
            assertThat(answer.message())
                    .startsWith("pods/" + part.split("/", 2)[0] + " is not stored in etcd");
            Answer missing = get("/api/v1/namespaces/n/pods/none/" + part);
            assertThat(missing.status()).as(part).isEqualTo(404);
            assertThat(missing.message()).isEqualTo("pods \"none\" not found");
        }
    }

    @Test
    void looksForTheObjectOfAProxyWithoutSchemeAndPort() throws Exception {
        for (String name : new String[] {"one", "one:80", "https:one:", ":one:80"}) {
            assertThat(get("/api/v1/namespaces/n/pods/" + name + "/proxy/a").status())
                    .as(name)
                    .isEqualTo(405);
        }
        assertThat(get("/api/v1/namespaces/n/pods/https:none:80/proxy").message())
                .isEqualTo("pods \"none\" not found");
        assertThat(get("/api/v1/namespaces/n/pods/one:80/log").status()).isEqualTo(404);
    }
}
