package io.tidemark.query.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.Definitions;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Follows schemas like clients do: from the index to a path, a kind and its references. */
class OpenApiHttpTest {
    private static final String GVK = "x-kubernetes-group-version-kind";

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private LiveCatalog catalog;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        define("how many there are");
        catalog = Definitions.catalog(cluster);
        fixture = new QueryNodeFixture(cluster, config -> config, catalog::current);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
        catalog.close();
    }

    private void define(String description) {
        Definitions.widgets(
                cluster,
                """
                {"type":"object","properties":{"spec":{"type":"object","properties":{
                 "size":{"type":"integer","description":"%s"}}}}}\
                """
                        .formatted(description));
    }

    private String address(String groupVersion) throws Exception {
        return fixture.client
                .get("/openapi/v3")
                .json()
                .path("paths")
                .path(groupVersion)
                .path("serverRelativeURL")
                .asText();
    }

    private JsonNode document(String groupVersion) throws Exception {
        return fixture.client.get(address(groupVersion)).json();
    }

    private static JsonNode schema(JsonNode document, JsonNode kind) {
        for (JsonNode schema : document.at("/components/schemas")) {
            for (JsonNode named : schema.path(GVK)) {
                if (named.equals(kind)) {
                    return schema;
                }
            }
        }
        return kind.path("missing");
    }

    @Test
    void findsKindAndFieldsOfAPath() throws Exception {
        JsonNode core = document("api/v1");
        JsonNode kind = core.path("paths").path("/api/v1/pods").path("get").path(GVK);
        assertThat(kind).hasToString("{\"group\":\"\",\"kind\":\"Pod\",\"version\":\"v1\"}");
        JsonNode pod = schema(core, kind);
        assertThat(pod.at("/properties/apiVersion/type").asText()).isEqualTo("string");
        assertThat(pod.at("/properties/spec/$ref").asText())
                .isEqualTo("#/components/schemas/io.k8s.api.core.v1.PodSpec");
        JsonNode schemas = core.at("/components/schemas");
        JsonNode spec = schemas.path("io.k8s.api.core.v1.PodSpec").path("properties");
        assertThat(spec.at("/nodeName/type").asText()).isEqualTo("string");
        assertThat(spec.at("/containers/type").asText()).isEqualTo("array");
        assertThat(spec.at("/nodeSelector/additionalProperties/type").asText()).isEqualTo("string");
        assertThat(
                        schemas.path("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta")
                                .at("/properties/creationTimestamp/format")
                                .asText())
                .isEqualTo("date-time");
    }

    @Test
    void resolvesEveryReferenceOfEveryDocument() throws Exception {
        Set<String> missing = new TreeSet<>();
        int documents = 0;
        for (var entry : fixture.client.get("/openapi/v3").json().path("paths").properties()) {
            JsonNode document = document(entry.getKey());
            documents++;
            for (JsonNode reference : document.findValues("$ref")) {
                if (!reference.isTextual()) {
                    continue; // A field of that name: definitions contain schemas.
                }
                String pointer = reference.asText().substring(1);
                if (document.at(pointer).isMissingNode()) {
                    missing.add(entry.getKey() + " " + pointer);
                }
            }
            for (JsonNode path : document.path("paths")) {
                JsonNode kind = path.path("get").path(GVK);
                if (schema(document, kind).isMissingNode()) {
                    missing.add(entry.getKey() + " " + kind);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(documents).isGreaterThan(20);
    }

    @Test
    void usesTheSchemaOfTheDefinition() throws Exception {
        JsonNode document = document("apis/example.com/v1");
        JsonNode widget = document.at("/components/schemas").path("com.example.v1.Widget");
        assertThat(widget.at("/properties/spec/properties/size/description").asText())
                .isEqualTo("how many there are");
        assertThat(widget.at("/properties/kind/type").asText()).isEqualTo("string");
        assertThat(widget.at("/properties/metadata/$ref").asText()).endsWith(".ObjectMeta");
    }

    @Test
    void changesUrlsOnlyWithTheirContent() throws Exception {
        String custom = address("apis/example.com/v1");
        String builtIn = address("apis/apps/v1");
        define("how large it is");
        await().until(() -> !address("apis/example.com/v1").equals(custom));
        assertThat(address("apis/apps/v1")).isEqualTo(builtIn);
        assertThat(document("apis/example.com/v1").findValue("size").path("description").asText())
                .isEqualTo("how large it is");
    }

    @Test
    void respondsNotModifiedToAKnownEtag() throws Exception {
        for (String groupVersion : new String[] {"api/v1", "apis/example.com/v1"}) {
            Answer first = fixture.client.get(address(groupVersion));
            Answer second =
                    fixture.client.get(
                            address(groupVersion), "If-None-Match", first.header("ETag"));
            assertThat(second.status()).isEqualTo(304);
            assertThat(second.text()).isEmpty();
        }
    }

    /** A client that finds the parameter sends manifests without local validation. */
    @Test
    void listsWritesWithTheirOnlyResponse() throws Exception {
        JsonNode patch =
                document("apis/apps/v1")
                        .path("paths")
                        .path("/apis/apps/v1/namespaces/{namespace}/deployments/{name}")
                        .path("patch");
        assertThat(patch.at("/parameters/0/name").asText()).isEqualTo("fieldValidation");
        assertThat(patch.path("responses").has("405")).isTrue();
        assertThat(patch.path("responses")).hasSize(1);
    }

    @Test
    void respondsNotFoundToUnknownDocuments() throws Exception {
        for (String path : new String[] {"/openapi/v3/", "/openapi/v3/apis/nope/v1"}) {
            Answer answer = fixture.client.get(path);
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.text()).isEmpty();
        }
        assertThat(fixture.client.get("/openapi/v2").text()).isEqualTo("404 page not found\n");
    }
}
