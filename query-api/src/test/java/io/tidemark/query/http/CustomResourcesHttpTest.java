package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.Definitions;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Custom resources are served by their current definition and selected by their stored values. */
class CustomResourcesHttpTest {
    private static final String GOLD = "?fieldSelector=spec.tier%3Dgold";
    private static final String ALL = "/apis/example.com/v1/widgets";
    private static final String PRUNING =
            """
            {"type":"object","properties":{"spec":{"type":"object","properties":{
              "tier":{"type":"string"},"size":{"type":"integer","default":3}}}}}\
            """;
    private static final String KEEPING =
            """
            {"type":"object","x-kubernetes-preserve-unknown-fields":true}\
            """;

    private static final String[] TABLE = {
        "Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"
    };

    private static final String DEPRECATED =
            "\"deprecated\":true,\"deprecationWarning\":\"say \\\\\"v1\\\\\", é or\",";

    private static final String CHANGES = "/changes?watch=1&timeoutSeconds=60&from=105";

    private MirroredCluster cluster;
    private LiveCatalog catalog;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        define(PRUNING); // 101
        widget("a", "\"tier\":\"gold\",\"extra\":1"); // 102
        widget("b", "\"tier\":\"tin\",\"size\":1.0"); // 103
        widget("c", ""); // 104
        catalog = Definitions.catalog(cluster);
        fixture = new QueryNodeFixture(cluster, catalog);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
        catalog.close();
    }

    private void define(String schema) {
        define(schema, "");
    }

    /**
     * @param columns more columns of Tables, each with a comma before it
     */
    private void define(String schema, String columns) {
        String version =
                """
                {"name":"%s","served":true,"storage":%s,"selectableFields":[{"jsonPath":".spec.tier"}],
                 "additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"}%s],
                 "schema":{"openAPIV3Schema":%s}}\
                """;
        Definitions.widgets(
                cluster,
                ",\"listKind\":\"Widgets\"",
                version.formatted("v1", true, columns, schema)
                        + ","
                        + version.formatted("v2", false, columns, schema)
                                .replaceFirst("\\{", "{" + DEPRECATED));
    }

    private long widget(String name, String spec) {
        return cluster.put(
                key(name),
                at ->
                        """
                        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s",\
                        "resourceVersion":"%d","namespace":"n"},"spec":{%s}}\
                        """
                                .formatted(name, at, spec));
    }

    private static String key(String name) {
        return "/registry/example.com/widgets/n/" + name;
    }

    private JsonNode get(String name) throws Exception {
        return fixture.client.get("/apis/example.com/v1/namespaces/n/widgets/" + name).json();
    }

    @Test
    void prunesAndDefaultsObjects() throws Exception {
        assertThat(get("a").path("spec")).hasToString("{\"size\":3,\"tier\":\"gold\"}");
        assertThat(get("a").at("/metadata/resourceVersion").asText()).isEqualTo("102");
        JsonNode items = fixture.client.get(ALL).json().path("items");
        assertThat(items.at("/0/spec")).hasToString("{\"size\":3,\"tier\":\"gold\"}");
        assertThat(items.at("/1/spec")).hasToString("{\"size\":1,\"tier\":\"tin\"}");
        assertThat(items.at("/2/spec/size").asInt()).isEqualTo(3);
        JsonNode second = fixture.client.get("/apis/example.com/v2/widgets").json().path("items");
        assertThat(second.at("/0/apiVersion").asText()).isEqualTo("example.com/v2");
        assertThat(second.at("/0/spec")).hasToString("{\"size\":3,\"tier\":\"gold\"}");
        JsonNode table = fixture.client.get(ALL, TABLE).json();
        assertThat(table.at("/rows/0/cells")).hasToString("[\"a\",3]");
    }

    /** Also when an object is written right behind its definition, or right before its end. */
    @Test
    void aWatchOfAllChangesShowsResourcesThatAreDefinedLater() throws Exception {
        cluster.delete(Bytes.utf8(Definitions.WIDGETS)); // 105
        try (Watch watch = fixture.client.watch(CHANGES)) {
            for (int i = 0; i < 20; i++) {
                defineAndEnd(i);
                assertShown(watch, i);
            }
        }
    }

    /** The node knows the newest definitions only; the watch, those that it has passed. */
    @Test
    void aLateWatchOfAllChangesShowsResourcesThatHaveEnded() throws Exception {
        cluster.delete(Bytes.utf8(Definitions.WIDGETS)); // 105
        for (int i = 0; i < 20; i++) {
            defineAndEnd(i);
        }
        await().until(() -> catalog.covers(cluster.revision()));
        try (Watch watch = fixture.client.watch(CHANGES)) {
            for (int i = 0; i < 20; i++) {
                assertShown(watch, i);
            }
        }
    }

    /** It was defined when the range began, and had ended when the request came. */
    @Test
    void changesOfAnEndedDefinitionAreShownFromBeforeItsEnd() throws Exception {
        widget("d", ""); // 105
        cluster.delete(Bytes.utf8(key("d"))); // 106
        cluster.delete(Bytes.utf8(Definitions.WIDGETS)); // 107
        widget("e", ""); // 108
        await().until(() -> catalog.covers(108));
        List<String> changed = List.of("d", "d", "widgets.example.com", "e");
        try (Watch watch = fixture.client.watch("/changes?watch=1&timeoutSeconds=60&from=104")) {
            for (String name : changed) {
                assertThat(watch.next().at("/object/name").asText()).isEqualTo(name);
            }
        }
        JsonNode page = fixture.client.get("/changes?from=104&order=oldest").json();
        assertThat(names(page)).isEqualTo(changed);
        assertThat(names(fixture.client.get("/changes?from=104&limit=2").json()))
                .containsExactly("e", "widgets.example.com");
        assertThat(names(fixture.client.get("/changes?from=100&to=105&order=oldest").json()))
                .as("defined at the end of the range only")
                .containsExactly("widgets.example.com", "a", "b", "c", "d");
        assertThat(names(fixture.client.get("/changes?from=99999").json()))
                .as("of a revision to come")
                .isEmpty();
        JsonNode compared = fixture.client.get("/changes?from=104&compare=true").json();
        assertThat(names(compared)).containsExactly("widgets.example.com", "e");
    }

    @Test
    void refusesAPageOfChangesWhoseDefinitionsDoNotCome() throws Exception {
        MirroredCluster behind = new MirroredCluster(4, 100);
        try (LiveCatalog late = Definitions.catalog(behind);
                QueryNodeFixture node = QueryNodeFixture.impatient(cluster, late)) {
            assertThat(node.client.get("/changes?from=100").status()).isEqualTo(504);
            behind.elsewhere(4);
            await().until(() -> node.client.get("/changes?from=100").status() == 200);
        }
    }

    private static List<String> names(JsonNode page) {
        List<String> names = new ArrayList<>();
        page.path("items").forEach(item -> names.add(item.at("/object/name").asText()));
        return names;
    }

    private void defineAndEnd(int round) {
        define(PRUNING);
        widget("w" + round, "");
        cluster.delete(Bytes.utf8(Definitions.WIDGETS));
    }

    private static void assertShown(Watch watch, int round) throws IOException {
        for (String name : List.of("widgets.example.com", "w" + round, "widgets.example.com")) {
            assertThat(watch.next().at("/object/name").asText()).isEqualTo(name);
        }
    }

    /** Watches share encoded events; a watch keeps the columns that it began with. */
    @Test
    void tableWatchesKeepTheirColumnsAfterAChange() throws Exception {
        String from = ALL + "?watch=1&resourceVersion=";
        try (Watch before = fixture.client.watch(from + 104, TABLE)) {
            define(
                    PRUNING,
                    ",{\"name\":\"Tier\",\"type\":\"string\",\"jsonPath\":\".spec.tier\"}"); // 105
            await().untilAsserted(() ->
                    assertThat(fixture.client.get(ALL, TABLE).json().at("/columnDefinitions"))
                            .hasSize(3));
            try (Watch after = fixture.client.watch(from + 105, TABLE)) {
                for (String name : List.of("d", "e", "f")) {
                    widget(name, "\"tier\":\"gold\"");
                    assertThat(before.next().at("/object/rows/0/cells"))
                            .hasToString("[\"%s\",3]".formatted(name));
                    assertThat(after.next().at("/object/rows/0/cells"))
                            .hasToString("[\"%s\",3,\"gold\"]".formatted(name));
                }
            }
        }
    }

    /** Compressed parts of lists outlive requests, and must not outlive a schema. */
    @Test
    void compressedListsFollowTheSchema() throws Exception {
        for (int i = 0; i < 300; i++) {
            widget("w" + i, "\"extra\":1,\"tier\":\"" + "t".repeat(600) + "\"");
        }
        for (String schema : List.of(KEEPING, PRUNING, KEEPING)) {
            define(schema);
            await().untilAsserted(() ->
                    assertThat(fixture.client.get(ALL).text().contains("extra"))
                            .isEqualTo(schema.equals(KEEPING)));
            for (String path :
                    List.of(
                            "/apis/example.com/v1/widgets",
                            "/apis/example.com/v2/widgets",
                            "/apis/example.com/v1/widgets?watch=1&timeoutSeconds=1")) {
                byte[] sent;
                try (TestHttpClient client = new TestHttpClient(fixture.url)) {
                    sent = client.get(path, "Accept-Encoding", "gzip").body();
                }
                try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
                    assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                            .isEqualTo(fixture.client.get(path).text());
                }
            }
        }
    }

    @Test
    void sortsListsLikeMapsAndKeepsTheKindOfItems() throws Exception {
        String list = fixture.client.get(ALL + "?limit=1").text();
        assertThat(list)
                .startsWith(
                        "{\"apiVersion\":\"example.com/v1\",\"items\":[{\"apiVersion\":"
                                + "\"example.com/v1\",\"kind\":\"Widget\"")
                .contains("],\"kind\":\"Widgets\",\"metadata\":{\"continue\":\"ey")
                .endsWith(",\"remainingItemCount\":2,\"resourceVersion\":\"104\"}}\n");
        assertThat(fixture.client.get(ALL).text())
                .endsWith("\"metadata\":{\"continue\":\"\",\"resourceVersion\":\"104\"}}\n");
        assertThat(fixture.client.get(ALL, "Accept", "application/yaml").text())
                .contains("\nkind: Widgets\n");
    }

    @Test
    void warnsUsersOfADeprecatedVersion() throws Exception {
        assertThat(fixture.client.get(ALL).warning()).isEmpty();
        assertThat(fixture.client.get("/apis/example.com/v2/widgets").header("Warning"))
                .isEqualTo("299 - \"say \\\"v1\\\", ? or\"");
        assertThat(
                        fixture.client
                                .get("/apis/example.com/v2/namespaces/n/widgets/none")
                                .header("Warning"))
                .startsWith("299");
    }

    @Test
    void watchesThemAtTheRevisionOfEachEvent() throws Exception {
        try (Watch watch = fixture.client.watch(ALL + "?watch=1&resourceVersion=104")) {
            widget("a", "\"extra\":2"); // 105
            cluster.delete(Bytes.utf8(key("a"))); // 106
            JsonNode modified = watch.next();
            assertThat(Watch.shown(modified)).isEqualTo("MODIFIED a@105");
            assertThat(modified.at("/object/spec")).hasToString("{\"size\":3}");
            JsonNode deleted = watch.next();
            assertThat(Watch.shown(deleted)).isEqualTo("DELETED a@106");
            assertThat(deleted.at("/object/spec")).hasToString("{\"size\":3}");
        }
    }

    @Test
    void appliesAChangedSchemaToReadsAndOpenWatches() throws Exception {
        try (Watch watch = fixture.client.watch(ALL + "?watch=1&resourceVersion=104")) {
            define(KEEPING); // 105
            await().untilAsserted(() ->
                    assertThat(get("a").path("spec"))
                            .hasToString("{\"tier\":\"gold\",\"extra\":1}"));
            widget("d", "\"extra\":2"); // 106
            assertThat(watch.next().at("/object/spec")).hasToString("{\"extra\":2}");
        }
    }

    @Test
    void anOpenWatchFollowsADefinitionThatIsMadeAgain() throws Exception {
        try (Watch watch = fixture.client.watch(ALL + "?watch=1&resourceVersion=104")) {
            widget("d", "\"extra\":2"); // 105
            assertThat(watch.next().at("/object/spec")).hasToString("{\"size\":3}");
            cluster.delete(Bytes.utf8(Definitions.WIDGETS)); // 106
            await().until(() -> catalog.covers(106));
            define(KEEPING); // 107
            await().until(() -> catalog.covers(107));
            widget("e", "\"extra\":2"); // 108
            assertThat(watch.next().at("/object/spec")).hasToString("{\"extra\":2}");
        }
    }

    @Test
    void servesObjectsAsStoredWithABrokenSchema() throws Exception {
        define("\"no schema\"");
        await().untilAsserted(() ->
                assertThat(get("a").path("spec")).hasToString("{\"tier\":\"gold\",\"extra\":1}"));
    }

    @Test
    void selectsListsByUnextractedFields() throws Exception {
        assertThat(fixture.client.get(ALL + GOLD).names()).containsExactly("a");
        assertThat(fixture.client.get(ALL + "?fieldSelector=spec.tier!%3Dgold").names())
                .containsExactly("b", "c");
        assertThat(fixture.client.get(ALL + "?fieldSelector=spec.tier%3D").names())
                .containsExactly("c");
        assertThat(
                        fixture.client
                                .get(
                                        ALL
                                                + "?limit=1&fieldSelector=spec.tier%3Dtin,metadata.name%3Db")
                                .names())
                .containsExactly("b");
    }

    @Test
    void selectsWatchesByUnextractedFields() throws Exception {
        try (Watch live = fixture.client.watch(ALL + GOLD + "&watch=1")) {
            assertThat(live.next(1)).containsExactly("ADDED a@102");
            widget("b", "\"tier\":\"gold\""); // 105
            widget("c", "\"tier\":\"tin\""); // 106
            widget("b", "\"tier\":\"gold\",\"size\":2"); // 107
            widget("a", ""); // 108
            cluster.delete(Bytes.utf8(key("b"))); // 109
            assertThat(live.next(4))
                    .containsExactly(
                            "ADDED b@105", "MODIFIED b@107", "DELETED a@108", "DELETED b@109");
        }
        try (Watch resumed =
                fixture.client.watch(
                        ALL + GOLD + "&watch=1&resourceVersion=105&timeoutSeconds=9")) {
            assertThat(resumed.next(3))
                    .containsExactly("MODIFIED b@107", "DELETED a@108", "DELETED b@109");
        }
    }
}
