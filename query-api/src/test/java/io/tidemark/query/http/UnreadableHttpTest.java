package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Responses leave out unreadable objects and warn of them. */
class UnreadableHttpTest {
    private static final String A = "/api/v1/namespaces/a/pods";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("a", "good", Map.of()); // 101
        broken("a", "bad", "malformed JSON: at 7");
        broken("a", "worse", "malformed JSON: at \u00fc \"quoted\"");
        broken("b", "empty", "empty value");
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private long broken(String namespace, String name, String why) {
        return cluster.raw(MirroredCluster.podKey(namespace, name), new byte[] {'?'}, why);
    }

    @Test
    void warnsInListsOfObjectsLeftOut() throws Exception {
        Answer all = fixture.client.get("/api/v1/pods");
        assertThat(all.names()).containsExactly("good");
        assertThat(all.header("Warning"))
                .isEqualTo(
                        "299 - \"3 objects of pods cannot be read and are left out:"
                                + " malformed JSON 2, empty value 1\"");
        assertThat(fixture.client.get("/api/v1/namespaces/b/pods").header("Warning"))
                .isEqualTo(
                        "299 - \"1 object of pods cannot be read and is left out: empty value 1\"");
        assertThat(fixture.client.get(A + "?fieldSelector=metadata.name=good").warning()).isEmpty();
        assertThat(fixture.client.get("/api/v1/namespaces/c/pods").warning()).isEmpty();
        assertThat(fixture.client.get("/api/v1/configmaps").warning()).isEmpty();
        assertThat(fixture.client.get("/kv/registry/pods/a/").warning()).isEmpty();
    }

    @Test
    void warnsInWatchesAndLongPolls() throws Exception {
        try (Watch watch = fixture.client.watch(A + "?watch=1&timeoutSeconds=9")) {
            assertThat(watch.header("Warning")).startsWith("299 - \"2 objects of pods");
            assertThat(watch.next(1)).containsExactly("ADDED good@101");
        }
        Answer poll =
                fixture.client.get(
                        A + "?watch=true&longPoll=true&resourceVersion=100&timeoutSeconds=5");
        assertThat(poll.header("Warning")).startsWith("299 - \"2 objects of pods");
    }

    @Test
    void reportsTheReasonForAGet() throws Exception {
        Answer bad = fixture.client.get(A + "/bad");
        assertThat(bad.status()).isEqualTo(500);
        assertThat(bad.json().path("reason").asText()).isEqualTo("InternalError");
        assertThat(bad.message())
                .isEqualTo(
                        "Internal error occurred: StorageError: corrupt object: pods \"bad\" cannot"
                                + " be read: malformed JSON: at 7");
        assertThat(bad.json().at("/details/name").asText()).isEqualTo("bad");
        assertThat(fixture.client.get(A + "/none").status()).isEqualTo(404);
    }

    @Test
    void stopsWarningOnceItIsReadable() throws Exception {
        cluster.pod("a", "bad", Map.of());
        cluster.delete(MirroredCluster.podKey("a", "worse"));
        assertThat(fixture.client.get(A).warning()).isEmpty();
        assertThat(fixture.client.get(A + "/bad").status()).isEqualTo(200);
    }

    @Test
    void countsThemInReadinessAndMetrics() throws Exception {
        cluster.raw(
                Bytes.utf8("/registry/configmaps/x/y"),
                new byte[0],
                "1,234 bytes, the topic's limit is 99");
        assertThat(fixture.client.get("/readyz?verbose").text())
                .contains(
                        "[+]unreadable 4 objects: configmaps 1 (N bytes, the topic's limit is N 1),"
                                + " pods 3 (malformed JSON 2, empty value 1)\n");
        assertThat(fixture.client.get("/readyz").text()).isEqualTo("ok");
        int partition = cluster.partitionOf("/registry/pods/a/");
        assertThat(fixture.client.get("/metrics").text())
                .contains("tidemark_unreadable_objects{partition=\"" + partition + "\"} ");
    }

    @Test
    void limitsTheLengthOfAWarning() throws Exception {
        for (int i = 0; i < 1100; i++) {
            broken("many", "p" + i, "reason " + "x".repeat(i % 9) + " ".repeat(70) + i);
        }
        String warning = fixture.client.get("/api/v1/namespaces/many/pods").header("Warning");
        assertThat(warning).startsWith("299 - \"at least 1000 objects of pods");
        assertThat(warning.length()).isLessThan(300);
    }
}
