package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Selectors, indexes and metadata-only responses, end to end. */
class SelectorsHttpTest {
    private static final String ALL = "/api/v1/pods";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    private static final Bytes PODS = Bytes.utf8("/registry/pods/");

    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        StoreSettings settings =
                new StoreSettings(
                        StoreSettings.DEFAULT_HISTORY_WINDOW,
                        1 << 20,
                        StoreSettings.DEFAULT_HISTORY_WINDOW,
                        new IndexSettings(Set.of(new IndexSettings.Field(PODS, "spec.nodeName"))));
        MirroredCluster cluster = new MirroredCluster(4, 100, settings);
        cluster.pod("b", "two", Map.of("app", "x"), "n1"); // 101
        cluster.pod("a", "one", Map.of("app", "y"), "n2"); // 102
        cluster.pod("a", "three", Map.of("tier", "t"), ""); // 103
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 104
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer list(String query, String... headers) throws Exception {
        return fixture.client.get(ALL + query, headers);
    }

    private String counted(String index) throws Exception {
        String wanted = "apiserver_cache_list_total{index=\"%s\",resource=\"pods\"} ";
        return fixture.client
                .get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(wanted.formatted(index)))
                .findFirst()
                .orElse("0");
    }

    @Test
    void countsListsByIndex() throws Exception {
        assertThat(list("?fieldSelector=spec.nodeName%3Dn1").names()).containsExactly("one", "two");
        assertThat(list("?labelSelector=app%20in%20(x,y)").names()).containsExactly("one", "two");
        assertThat(list("?labelSelector=tier").names()).containsExactly("three");
        assertThat(
                        fixture.client
                                .get("/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Done")
                                .names())
                .containsExactly("one");

        for (String accessPath : new String[] {"f:spec.nodeName", "labels", "scan", "key"}) {
            assertThat(counted(accessPath)).as(accessPath).endsWith(" 1.0");
        }
        assertThat(fixture.client.get("/metrics").text())
                .contains(
                        "apiserver_cache_list_fetched_objects_total{index=\"f:spec.nodeName\",resource=\"pods\"}"
                            + " 2.0");
    }

    @Test
    void usesAnIndexForPastRevisions() throws Exception {
        String past = "&resourceVersion=103&resourceVersionMatch=Exact";
        assertThat(list("?fieldSelector=spec.nodeName%3Dn1" + past).names()).containsExactly("two");
        assertThat(list("?fieldSelector=spec.nodeName%3D" + past).names()).containsExactly("three");
        assertThat(list("?labelSelector=app%3Dy" + past).names()).containsExactly("one");
        assertThat(counted("f:spec.nodeName")).endsWith(" 2.0");
    }

    @Test
    void selectsByAnyPathWithALeadingDot() throws Exception {
        assertThat(list("?fieldSelector=.metadata.labels.tier%3Dt").names())
                .containsExactly("three");
        Answer metadata = list("?fieldSelector=.metadata.labels.app%3Dx", "Accept", METADATA);
        assertThat(metadata.names()).containsExactly("one", "two");

        Answer plain = list("?fieldSelector=metadata.labels.tier%3Dt");
        assertThat(plain.status()).isEqualTo(400);
        assertThat(plain.message()).isEqualTo("field label not supported: metadata.labels.tier");
    }

    @Test
    void servesMetadataOfTheSameRevisionAndSelection() throws Exception {
        String past = "?resourceVersion=103&resourceVersionMatch=Exact&labelSelector=app";
        for (String query : new String[] {"", past, "?fieldSelector=spec.nodeName%3Dn1"}) {
            Answer whole = list(query);
            Answer metadata = list(query, "Accept", METADATA);
            assertThat(metadata.resourceVersion()).isEqualTo(whole.resourceVersion());
            assertThat(metadata.names()).isEqualTo(whole.names());
            for (int i = 0; i < whole.names().size(); i++) {
                assertThat(metadata.json().at("/items/" + i + "/metadata"))
                        .isEqualTo(whole.json().at("/items/" + i + "/metadata"));
            }
        }
        Answer one =
                fixture.client.get(
                        "/api/v1/namespaces/a/pods/one",
                        "Accept",
                        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
        assertThat(one.text())
                .isEqualTo(
                        "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                                + "\"metadata\":{\"name\":\"one\",\"namespace\":\"a\","
                                + "\"resourceVersion\":\"104\",\"labels\":{\"app\":\"x\"}}}\n");
    }

    @Test
    void sendsTransitionsToAMetadataWatch() throws Exception {
        try (Watch watch =
                fixture.client.watch(
                        ALL
                                + "?watch=true&resourceVersion=101&labelSelector=app%3Dy&timeoutSeconds=5",
                        "Accept",
                        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")) {
            assertThat(watch.next().path("type").asText()).isEqualTo("ADDED");
            var left = watch.next();
            assertThat(left.path("type").asText()).isEqualTo("DELETED");
            assertThat(left.at("/object/metadata/labels/app").asText()).isEqualTo("y");
            assertThat(left.at("/object/metadata/resourceVersion").asText()).isEqualTo("104");
            assertThat(left.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
        }
    }
}
