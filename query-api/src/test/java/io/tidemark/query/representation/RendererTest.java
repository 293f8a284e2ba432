package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.Resource.Conversion;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.IncludeObject;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.query.testing.RenderedLists;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RendererTest {
    private static final InstantSource CLOCK =
            InstantSource.fixed(Instant.parse("2026-01-01T00:05:00Z"));
    private static final View WHOLE = new View.Whole();
    private static final View METADATA = new View.Metadata("meta.k8s.io/v1", true);
    private static final View ROWS = new View.Table("meta.k8s.io/v1", IncludeObject.NONE);

    private final Catalog catalog =
            FixedCatalog.of(BuiltInResources.under(Bytes.utf8("/registry/")));
    private final Resource configMaps = catalog.find("", "v1", "configmaps").orElseThrow();

    @Test
    void omitsTheKindOfItemsInBuiltInLists() {
        assertThat(list(configMaps, WHOLE, Format.JSON, configMap("a", 5)))
                .isEqualTo(
                        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"9\",\"continue\":\"next\","
                                + "\"remainingItemCount\":3},\"items\":[{\"metadata\":"
                                + "{\"name\":\"a\",\"resourceVersion\":\"5\","
                                + "\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},"
                                + "\"data\":{\"k\":\"<\"}}]}\n");
    }

    @Test
    void sortsAndRenamesListsOfCustomResources() {
        StoredObject widget =
                StoredObjects.of(
                        "/registry/example.com/widgets/n/w",
                        5,
                        "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":"
                                + "{\"name\":\"w\",\"resourceVersion\":\"5\"}}");

        assertThat(list(widgets(), WHOLE, Format.JSON, widget))
                .isEqualTo(
                        "{\"apiVersion\":\"example.com/v2\",\"items\":[{\"apiVersion\":"
                                + "\"example.com/v2\",\"kind\":\"Widget\",\"metadata\":"
                                + "{\"name\":\"w\",\"resourceVersion\":\"5\"}}],"
                                + "\"kind\":\"WidgetList\",\"metadata\":{\"continue\":\"next\","
                                + "\"remainingItemCount\":3,\"resourceVersion\":\"9\"}}\n");
    }

    @Test
    void writesTheRevisionOfAnEvent() {
        Renderer renderer = renderer(configMaps, WHOLE, Format.JSON);

        assertThat(text(renderer.eventObject(configMap("a", 5), 123)))
                .contains("\"resourceVersion\":\"123\"")
                .doesNotContain("\"5\"")
                .endsWith("\"data\":{\"k\":\"<\"}}");
    }

    @Test
    void replacesVersionAndRevisionTogether() {
        StoredObject lateVersion =
                StoredObjects.of(
                        "/registry/example.com/widgets/n/w",
                        5,
                        "{\"metadata\":{\"name\":\"w\",\"resourceVersion\":\"5\"},"
                                + "\"apiVersion\":\"example.com/v1\",\"z\":1}");

        assertThat(text(renderer(widgets(), WHOLE, Format.JSON).eventObject(lateVersion, 1234)))
                .isEqualTo(
                        "{\"metadata\":{\"name\":\"w\",\"resourceVersion\":\"1234\"},"
                                + "\"apiVersion\":\"example.com/v2\",\"z\":1}");
    }

    @Test
    void writesColumnsInTheFirstTableEventOnly() {
        Renderer renderer = renderer(configMaps, ROWS, Format.JSON);

        assertThat(text(renderer.eventObject(configMap("a", 5), 6)))
                .contains("\"columnDefinitions\":[{\"name\":\"Name\"")
                .endsWith("\"rows\":[{\"cells\":[\"a\",1,\"5m\"],\"object\":null}]}");
        assertThat(text(renderer.eventObject(configMap("b", 5), 7)))
                .isEqualTo(
                        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"7\"},\"columnDefinitions\":null,"
                                + "\"rows\":[{\"cells\":[\"b\",1,\"5m\"],\"object\":null}]}");
    }

    @Test
    void showsTheTimeZeroInTablesOfKindsWithoutColumns() {
        Resource roles = catalog.find("rbac.authorization.k8s.io", "v1", "roles").orElseThrow();
        StoredObject role =
                StoredObjects.of(
                        "/registry/roles/n/r",
                        5,
                        "{\"kind\":\"Role\",\"apiVersion\":\"rbac.authorization.k8s.io/v1\","
                                + "\"metadata\":{\"name\":\"r\",\"resourceVersion\":\"5\"}}");

        assertThat(text(renderer(roles, ROWS, Format.JSON).single(role)))
                .contains("\"cells\":[\"r\",\"0001-01-01T00:00:00Z\"]");
    }

    /** The API server serves the columns before it. */
    @Test
    void endsTheColumnsAtARefusedPath() {
        StoredObject widget =
                StoredObjects.of(
                        "/registry/example.com/widgets/n/w",
                        5,
                        "{\"apiVersion\":\"example.com/v1\",\"metadata\":{\"name\":\"w\","
                                + "\"resourceVersion\":\"5\"},\"spec\":{\"a\":[1,2]}}");
        Resource widgets = widgets(".metadata.name", ".spec.a[-1:]", ".spec.a[x]", ".spec.a");

        assertThat(text(renderer(widgets, ROWS, Format.JSON).single(widget)))
                .contains("\"name\":\".spec.a[-1:]\"", "\"cells\":[\"w\",\"2\"]")
                .doesNotContain("\"name\":\".spec.a[x]\"", "\"name\":\".spec.a\"");
    }

    @Test
    void writesMetadataInTheOrderOfTheGoTypes() {
        StoredObject sorted =
                StoredObjects.of(
                        "/registry/example.com/widgets/n/w",
                        5,
                        "{\"apiVersion\":\"example.com/v1\",\"metadata\":{\"labels\":"
                                + "{\"b\":\"2\",\"a\":\"1\"},\"name\":\"w\",\"other\":1,"
                                + "\"resourceVersion\":\"5\"},\"spec\":{}}");

        assertThat(text(renderer(widgets(), METADATA, Format.JSON).single(sorted)))
                .isEqualTo(
                        "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                                + "\"metadata\":{\"name\":\"w\",\"resourceVersion\":\"5\","
                                + "\"labels\":{\"a\":\"1\",\"b\":\"2\"}}}\n");
    }

    @Test
    void writesEmptyListsLikeTheApiServer() {
        assertThat(list(configMaps, WHOLE, Format.JSON)).contains("\"items\":[]}");
        assertThat(list(configMaps, METADATA, Format.JSON)).contains("\"items\":null}");
        assertThat(list(configMaps, ROWS, Format.JSON)).endsWith("\"rows\":[]}\n");
        assertThat(list(configMaps, WHOLE, Format.YAML)).contains("\nitems: []\n");
    }

    @Test
    void writesSortedBlockYaml() {
        assertThat(list(configMaps, WHOLE, Format.YAML, configMap("a", 5), configMap("b", 6)))
                .isEqualTo(
                        """
                        apiVersion: v1
                        items:
                        - data:
                            k: <
                          metadata:
                            creationTimestamp: "2026-01-01T00:00:00Z"
                            name: a
                            resourceVersion: "5"
                        - data:
                            k: <
                          metadata:
                            creationTimestamp: "2026-01-01T00:00:00Z"
                            name: b
                            resourceVersion: "6"
                        kind: ConfigMapList
                        metadata:
                          continue: next
                          remainingItemCount: 3
                          resourceVersion: "9"
                        """);
    }

    @Test
    void writesIndentedJsonWithoutAFinalLineFeed() {
        Renderer renderer =
                new Representation(Format.JSON, METADATA, true, false).renderer(configMaps, CLOCK);

        assertThat(text(renderer.single(configMap("a", 5))))
                .startsWith("{\n  \"kind\": \"PartialObjectMetadata\",\n")
                .endsWith("\n  }\n}");
    }

    @Test
    void survivesOddObjectsInATable() {
        for (Resource resource : catalog.resources()) {
            String head =
                    "{\"kind\":\"X\",\"apiVersion\":\""
                            + resource.apiVersion()
                            + "\",\"metadata\":";
            for (String rest :
                    List.of(
                            "{\"resourceVersion\":\"5\"},\"spec\":null,\"status\":[1,{}]}",
                            "{\"resourceVersion\":\"5\",\"labels\":7,\"creationTimestamp\":{}},"
                                    + "\"spec\":{\"metrics\":{\"a\":1},\"ports\":\"x\"}}",
                            "7,\"resourceVersion\":\"5\",\"status\":{\"conditions\":[[],null,3]}}")) {
                StoredObject odd = StoredObjects.of("/registry/x/odd", 5, head + rest);

                assertThat(list(resource, ROWS, Format.JSON, odd))
                        .as(resource.qualifiedName())
                        .contains("\"cells\":[");
            }
        }
    }

    @Test
    void sortsFlowSchemasByPrecedence() {
        Resource flowSchemas =
                catalog.find("flowcontrol.apiserver.k8s.io", "v1", "flowschemas").orElseThrow();

        assertThat(list(flowSchemas, ROWS, Format.JSON, schema("a", 9), schema("b", 2)))
                .contains("\"rows\":[{\"cells\":[\"b\"")
                .contains("},{\"cells\":[\"a\"");
    }

    private static StoredObject schema(String name, int precedence) {
        return StoredObjects.of(
                "/registry/flowschemas/" + name,
                5,
                "{\"apiVersion\":\"flowcontrol.apiserver.k8s.io/v1\",\"metadata\":{\"name\":\""
                        + name
                        + "\",\"resourceVersion\":\"5\"},\"spec\":{\"matchingPrecedence\":"
                        + precedence
                        + "}}");
    }

    private static StoredObject configMap(String name, long revision) {
        return StoredObjects.of(
                "/registry/configmaps/n/" + name,
                revision,
                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\""
                        + name
                        + "\",\"resourceVersion\":\""
                        + revision
                        + "\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"},"
                        + "\"data\":{\"k\":\"<\"}}");
    }

    private static String list(
            Resource resource, View view, Format format, StoredObject... objects) {
        Renderer renderer = renderer(resource, view, format);
        return RenderedLists.of(renderer, new ListMeta("9", "next", 3), List.of(objects));
    }

    private static Renderer renderer(Resource resource, View view, Format format) {
        return new Representation(format, view, false, false).renderer(resource, CLOCK);
    }

    private static String text(Optional<byte[]> bytes) {
        return new String(bytes.orElseThrow(), StandardCharsets.UTF_8);
    }

    private static Resource widgets() {
        return widgets(".metadata.name");
    }

    /** With columns that have the names of their paths. */
    private static Resource widgets(String... paths) {
        return new Resource(
                "example.com",
                "v2",
                "widgets",
                "widget",
                "Widget",
                true,
                true,
                List.of(),
                List.of(),
                List.of(),
                Stream.of(paths).map(path -> new Column(path, "string", "", "", 0, path)).toList(),
                Bytes.utf8("/registry/example.com/widgets/"),
                new Conversion("example.com/v1", true));
    }
}
