package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.CollidingNames;
import io.tidemark.query.testing.Definitions;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Objects that etcd can hold and that Jackson does not read with default limits. */
class UnusualObjectsHttpTest {
    private static final String WIDGETS = "/apis/example.com/v1/widgets";

    enum Members {
        LONG_NAME("\"" + "a".repeat(60_000) + "\":\"\""),
        LONG_NUMBER("\"a\":1" + "0".repeat(200_000)),
        COLLIDING_NAMES(
                CollidingNames.of(2_000).stream()
                        .map("\"%s\":\"\""::formatted)
                        .collect(Collectors.joining(",")));

        private final String json;

        Members(String json) {
            this.json = json;
        }
    }

    private final MirroredCluster cluster = new MirroredCluster(2, 100);
    private LiveCatalog catalog;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        catalog = Definitions.catalog(cluster);
        fixture = new QueryNodeFixture(cluster, config -> config, catalog::current);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
        catalog.close();
    }

    private void configMap(String name, String data) {
        put("configmaps/n/" + name, "v1", "ConfigMap", name, "\"data\":{" + data + "}");
    }

    private void put(String key, String apiVersion, String kind, String name, String members) {
        cluster.put(
                "/registry/" + key,
                at ->
                        """
                        {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","namespace":"n",\
                        "resourceVersion":"%d"},%s}\
                        """
                                .formatted(apiVersion, kind, name, at, members));
    }

    private Answer get(String path, String accept) throws Exception {
        Answer answer = fixture.client.get(path, "Accept", accept);
        assertThat(answer.status()).isEqualTo(200);
        return answer;
    }

    @ParameterizedTest
    @EnumSource
    void yamlListsHaveThem(Members members) throws Exception {
        configMap("usual", "\"k\":\"v\"");
        configMap("unusual", members.json);
        assertThat(get("/api/v1/configmaps", "application/yaml").text())
                .contains("name: usual", "name: unusual");
    }

    @ParameterizedTest
    @EnumSource
    void changesShowThem(Members members) throws Exception {
        configMap("new", members.json); // 101
        configMap("old", "\"k\":\"v\""); // 102
        configMap("old", members.json); // 103
        List<String> shown = new ArrayList<>();
        for (JsonNode item : get("/changes?namespace=n", "*/*").json().path("items")) {
            shown.add(item.path("type").asText() + " " + item.at("/object/name").asText());
        }
        assertThat(shown).containsExactly("MODIFIED old", "ADDED old", "ADDED new");
    }

    @ParameterizedTest
    @EnumSource
    void customResourcesArePruned(Members members) throws Exception {
        Definitions.widgets(
                cluster,
                """
                {"type":"object","properties":{"spec":{"type":"object","properties":{
                 "size":{"type":"integer","default":3}}}}}\
                """);
        put(
                "example.com/widgets/n/w",
                "example.com/v1",
                "Widget",
                "w",
                "\"spec\":{" + members.json + "}");
        await().until(() -> fixture.client.get(WIDGETS).status() == 200);
        assertThat(get(WIDGETS, "application/json").json().at("/items/0/spec"))
                .hasToString("{\"size\":3}");
    }

    @ParameterizedTest
    @EnumSource
    void customResourcesWithSuchADefinitionAreServed(Members members) throws Exception {
        Definitions.widgets(
                cluster,
                """
                {"type":"object","default":{%s},"properties":{"spec":{"type":"object","properties":{
                 "size":{"type":"integer","default":3}}}}}\
                """
                        .formatted(members.json));
        put("example.com/widgets/n/w", "example.com/v1", "Widget", "w", "\"spec\":{}");
        await().until(() -> fixture.client.get(WIDGETS).status() == 200);
        assertThat(get(WIDGETS, "application/json").json().at("/items/0/spec"))
                .hasToString("{\"size\":3}");
    }
}
