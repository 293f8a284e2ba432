package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The versions of one object. The cluster is listed at 10:00:00 and changes each second. */
class HistoryHttpTest {
    private static final String ONE = "/api/v1/namespaces/a/pods/one?history=true";
    private static final Bytes KEY = MirroredCluster.podKey("a", "one");

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        second();
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 101 at 10:00:01
        second();
        cluster.pod("a", "one", Map.of("app", "y"), "n1"); // 102 at :02
        second();
        cluster.pod("a", "other", Map.of(), "n1"); // 103
        cluster.delete(KEY); // 104 at :03
        second();
        cluster.pod("a", "one", Map.of("app", "z"), "n1"); // 105 at :04
        fixture = new QueryNodeFixture(cluster);
    }

    private void second() {
        cluster.advance(Duration.ofSeconds(1));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path, String... headers) throws Exception {
        return fixture.client.get(path, headers);
    }

    private static List<String> items(Answer answer) {
        List<String> items = new ArrayList<>();
        for (JsonNode item : answer.json().path("items")) {
            items.add(
                    "%s %s %s"
                            .formatted(
                                    item.path("revision").asText(),
                                    item.path("type").asText(),
                                    item.path("object")
                                            .at("/metadata/labels/app")
                                            .asText(item.path("problem").asText())));
        }
        return items;
    }

    @Test
    void listsAllVersionsNewestLast() throws Exception {
        Answer history = get(ONE);
        assertThat(history.status()).as(history.text()).isEqualTo(200);
        assertThat(items(history))
                .containsExactly("101 ADDED x", "102 MODIFIED y", "104 DELETED y", "105 ADDED z");
        assertThat(history.json().path("kind").asText()).isEqualTo("ObjectHistory");
        assertThat(history.resourceVersion()).isEqualTo("105");
        assertThat(history.json().path("floor").asText()).isEqualTo("100");
        assertThat(history.json().at("/items/2/time").asText()).isEqualTo("2026-11-21T10:00:03Z");
        assertThat(history.json().at("/items/2/object/metadata/resourceVersion").asText())
                .isEqualTo("104");
    }

    @Test
    void acceptsTheTimeOfAVersionAsAt() throws Exception {
        for (JsonNode item : get(ONE).json().path("items")) {
            Answer then = get("/api/v1/namespaces/a/pods/one?at=" + item.path("time").asText());
            if (item.path("type").asText().equals("DELETED")) {
                assertThat(then.status()).isEqualTo(404);
                continue;
            }
            assertThat(then.json()).isEqualTo(item.path("object"));
            // Other objects may have changed at that time, too.
            assertThat(Long.parseLong(then.header("X-Tidemark-Revision")))
                    .isGreaterThanOrEqualTo(item.path("revision").asLong());
        }
    }

    @Test
    void servesTheHistoryOfADeletedObject() throws Exception {
        cluster.delete(KEY);
        assertThat(get("/api/v1/namespaces/a/pods/one").status()).isEqualTo(404);
        assertThat(items(get(ONE))).hasSize(5).last().isEqualTo("106 DELETED z");
    }

    @Test
    void endsAllPagesAtTheFirstPagesRevision() throws Exception {
        List<String> all = new ArrayList<>();
        Answer page = get(ONE + "&limit=1");
        while (true) {
            assertThat(page.resourceVersion()).isEqualTo("105");
            all.addAll(items(page));
            cluster.pod("a", "one", Map.of("app", "late"), "n1");
            if (page.continueToken().isEmpty()) {
                break;
            }
            page = get(ONE + "&limit=1&continue=" + page.continueToken());
        }
        assertThat(all)
                .containsExactly("101 ADDED x", "102 MODIFIED y", "104 DELETED y", "105 ADDED z");
    }

    @Test
    void aLaterPageOfAnEndedHistoryIsGone() throws Exception {
        Answer page = get(ONE + "&limit=1");
        cluster.relist(true);
        assertThat(get(ONE + "&limit=1&continue=" + page.continueToken()).status()).isEqualTo(410);
    }

    @Test
    void omitsObjectsOrServesMetadata() throws Exception {
        assertThat(get(ONE + "&objects=false").text())
                .startsWith(
                        "{\"kind\":\"ObjectHistory\",\"apiVersion\":\"tidemark.io/v1\",\"metadata\":"
                            + "{\"resourceVersion\":\"105\"},\"floor\":\"100\",\"items\":["
                            + "{\"revision\":\"101\",\"time\":\"2026-11-21T10:00:01Z\","
                            + "\"type\":\"ADDED\"},");
        Answer metadata =
                get(ONE, "Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
        assertThat(metadata.json().at("/items/0/object/kind").asText())
                .isEqualTo("PartialObjectMetadata");
        assertThat(items(metadata)).hasSize(4);
    }

    @Test
    void servesYamlAndIndentedJson() throws Exception {
        Answer yaml = get(ONE, "Accept", "application/yaml");
        assertThat(yaml.header("Content-Type")).isEqualTo("application/yaml");
        assertThat(yaml.text()).contains("kind: ObjectHistory\n").contains("  type: DELETED\n");
        assertThat(get(ONE + "&pretty=true").text()).contains("\n  \"floor\": \"100\",\n");
        assertThat(get(ONE, "Accept", "application/json;as=Table;g=meta.k8s.io;v=v1").status())
                .isEqualTo(406);
    }

    @Test
    void reportsUnreadableVersions() throws Exception {
        cluster.raw(KEY, new byte[] {'k'}, "malformed JSON at byte 1");
        cluster.pod("a", "one", Map.of("app", "again"), "n1");
        assertThat(items(get(ONE)).subList(4, 6))
                .containsExactly(
                        "106 MODIFIED cannot be read: malformed JSON at byte 1",
                        "107 MODIFIED again");
    }

    @Test
    void servesTheHistoryOfAKey() throws Exception {
        Answer history = get("/kv/registry/pods/a/one?history=true");
        assertThat(history.json().at("/items/2/type").asText()).isEqualTo("DELETED");
        assertThat(history.json().at("/items/2/object/modRevision").asLong()).isEqualTo(104);
        assertThat(history.json().at("/items/2/object/key").asText())
                .isEqualTo("/registry/pods/a/one");
        assertThat(get("/kv/registry/none?history=true").status()).isEqualTo(404);
    }

    @Test
    void includesTheVersionThatWasCurrentAtTheFloor() throws Exception {
        cluster.relist(true);
        cluster.pod("a", "one", Map.of("app", "n"));
        Answer history = get(ONE);
        assertThat(items(history)).containsExactly("106 ADDED n");
        assertThat(history.json().path("floor").asText()).isEqualTo("105");
        assertThat(get("/api/v1/namespaces/a/pods/other?history=true").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "&resourceVersionMatch=Exact&resourceVersion=103",
                "&labelSelector=a",
                "&fieldSelector=a=b",
                "&at=2026-11-21T10:00:03Z",
                "&continue=xyz",
                "&limit=x"
            })
    void refusesInvalidRequests(String more) throws Exception {
        assertThat(get(ONE + more).status()).isEqualTo(400);
    }

    @Test
    void refusesTheHistoryOfACollection() throws Exception {
        for (String path : new String[] {"/api/v1/pods", "/kv/registry/"}) {
            Answer many = get(path + "?history=true");
            assertThat(many.status()).isEqualTo(400);
            assertThat(many.message()).contains("request it by name");
        }
        assertThat(get("/api/v1/pods?history=true&watch=true").status()).isEqualTo(400);
    }
}
