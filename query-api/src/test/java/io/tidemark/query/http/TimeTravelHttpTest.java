package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The state as of a revision or a time. The cluster is listed at 10:00:00 and changes each second.
 */
class TimeTravelHttpTest {
    private static final String ALL = "/api/v1/pods";
    private static final String ONE = "/api/v1/namespaces/a/pods/one";
    private static final String DAY = "2026-11-21T";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        second();
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 101 at 10:00:01
        second();
        cluster.pod("b", "two", Map.of("app", "x"), "n1"); // 102 at :02
        second();
        cluster.pod("a", "one", Map.of("app", "y"), "n2"); // 103 at :03
        second();
        cluster.delete(MirroredCluster.podKey("a", "one")); // 104 at :04
        second();
        cluster.pod("c", "three", Map.of(), "n1"); // 105 at :05
        second();
        fixture = new QueryNodeFixture(cluster);
    }

    private void second() {
        cluster.advance(Duration.ofSeconds(1));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Answer get(String path) throws Exception {
        return fixture.client.get(path);
    }

    @ParameterizedTest
    @CsvSource({
        "10:00:00Z, 100, ''",
        "10:00:00.999Z, 100, ''",
        "10:00:01Z, 101, one",
        "10:00:02.5Z, 102, one two",
        "11:00:03%2B01:00, 103, one two",
        "11:00:03+01:00, 103, one two",
        "06:30:04.123456789-03:30, 104, two",
        "10:00:06Z, 105, two three"
    })
    void listsAtTheLastRevisionOfATime(String time, String revision, String names)
            throws Exception {
        Answer list = get(ALL + "?at=" + DAY + time);
        assertThat(list.status()).as(list.text()).isEqualTo(200);
        assertThat(list.resourceVersion()).isEqualTo(revision);
        assertThat(String.join(" ", list.names())).isEqualTo(names);
        Answer same = get(ALL + "?resourceVersionMatch=Exact&resourceVersion=" + revision);
        assertThat(list.text()).isEqualTo(same.text());
    }

    @Test
    void choosesTheSameRevisionForEveryScope() throws Exception {
        for (String path :
                new String[] {
                    "/api/v1/namespaces/a/pods",
                    "/api/v1/namespaces/nobody/pods",
                    "/api/v1/nodes",
                    "/kv/registry/pods/b/"
                }) {
            assertThat(get(path + "?at=" + DAY + "10:00:03Z").resourceVersion())
                    .as(path)
                    .isEqualTo("103");
        }
    }

    @Test
    void keepsTheRevisionAcrossPages() throws Exception {
        Answer first = get(ALL + "?limit=1&at=" + DAY + "10:00:03Z");
        assertThat(first.names()).containsExactly("one");
        cluster.pod("b", "two", Map.of("app", "late"), "n1");
        Answer second = get(ALL + "?limit=1&continue=" + first.continueToken());
        assertThat(second.names()).containsExactly("two");
        assertThat(second.resourceVersion()).isEqualTo("103");
        assertThat(second.text()).doesNotContain("late");
    }

    @Test
    void selectsByPastValues() throws Exception {
        assertThat(get(ALL + "?labelSelector=app=x&at=" + DAY + "10:00:02Z").names())
                .containsExactly("one", "two");
        assertThat(get(ALL + "?fieldSelector=spec.nodeName=n1&at=" + DAY + "10:00:03Z").names())
                .containsExactly("two");
    }

    @Test
    void servesAPastObject() throws Exception {
        Answer then = get(ONE + "?at=" + DAY + "10:00:02.9Z");
        assertThat(then.json().at("/metadata/resourceVersion").asText()).isEqualTo("101");
        assertThat(then.header("X-Tidemark-Revision")).isEqualTo("102");
        assertThat(then.header("X-Tidemark-As-Of")).isEqualTo("2026-11-21T10:00:02.900Z");
        assertThat(get(ONE + "?at=" + DAY + "10:00:00Z").status()).isEqualTo(404);
        assertThat(get(ONE + "?at=" + DAY + "10:00:04Z").status()).isEqualTo(404);
    }

    @Test
    void acceptsExactForOneObject() throws Exception {
        Answer then = get(ONE + "?resourceVersion=103&resourceVersionMatch=Exact");
        assertThat(then.json().at("/metadata/labels/app").asText()).isEqualTo("y");
        assertThat(get(ONE + "?resourceVersion=104&resourceVersionMatch=Exact").status())
                .isEqualTo(404);
        Answer expired = get(ONE + "?resourceVersion=99&resourceVersionMatch=Exact");
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.message())
                .isEqualTo("resourceVersion 99 is no longer known: history goes back to 100");
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            String future = ONE + "?resourceVersion=900&resourceVersionMatch=Exact";
            assertThat(impatient.client.get(future).status()).isEqualTo(504);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "resourceVersion=103", "resourceVersion=0&resourceVersionMatch=Exact"})
    void keepsTheMeaningOfOtherParametersOfAGet(String query) throws Exception {
        Answer now = get("/api/v1/namespaces/b/pods/two?" + query);
        assertThat(now.status()).isEqualTo(200);
        assertThat(now.header("X-Tidemark-Revision")).isEmpty();
    }

    @Test
    void servesPastKeysAndValues() throws Exception {
        String key = "/kv/registry/pods/a/one";
        Answer then = get(key + "?at=" + DAY + "10:00:01Z");
        assertThat(then.header("X-Etcd-Mod-Revision")).isEqualTo("101");
        assertThat(get(key + "?resourceVersion=103&resourceVersionMatch=Exact").text())
                .contains("n2");
        assertThat(get(key).status()).isEqualTo(404);
    }

    @Test
    void refusesATimeBelowTheFloorWith410() throws Exception {
        for (String path : new String[] {ALL, ONE, "/kv/registry/"}) {
            Answer expired = get(path + "?at=" + DAY + "09:59:59Z");
            assertThat(expired.status()).as(path).isEqualTo(410);
            assertThat(expired.json().path("reason").asText()).isEqualTo("Expired");
            assertThat(expired.message())
                    .isEqualTo(
                            "the state at 2026-11-21T09:59:59Z is not known: history goes back to"
                                    + " 2026-11-21T10:00:00Z (resourceVersion 100)");
        }
    }

    @Test
    void refusesAFutureTime() throws Exception {
        Answer future = get(ALL + "?at=" + DAY + "10:00:09Z");
        assertThat(future.status()).isEqualTo(400);
        assertThat(future.message())
                .isEqualTo(
                        "invalid at: 2026-11-21T10:00:09Z lies in the future, the server's clock"
                                + " says 2026-11-21T10:00:06Z");
    }

    @Test
    void takesABarrierForRecentTimes() throws Exception {
        int before = cluster.barriersTaken();
        assertThat(get(ALL + "?at=" + DAY + "10:00:04Z").status()).isEqualTo(200);
        assertThat(cluster.barriersTaken()).isEqualTo(before);
        cluster.loseEtcd(true);
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster)) {
            // On a busy machine the reason can come later than the node waits for it.
            Awaitility.await()
                    .untilAsserted(() -> {
                        Answer unknown = impatient.client.get(ALL + "?at=" + DAY + "10:00:06Z");
                        assertThat(unknown.status()).isEqualTo(504);
                        assertThat(unknown.message()).contains("etcd is away");
                    });
        }
        assertThat(get(ALL + "?at=" + DAY + "10:00:04Z").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yesterday",
                "",
                "10:00",
                "2026-11-21",
                "2026-11-21T10:00:00",
                "2026-13-21T10:00:00Z",
                "%2B999999999-01-01T00:00:00Z"
            })
    void refusesAnInvalidTime(String time) throws Exception {
        for (String path : new String[] {ALL, ONE, "/kv/registry/"}) {
            Answer bad = get(path + "?at=" + time);
            assertThat(bad.status()).as(time).isEqualTo(400);
            assertThat(bad.message()).startsWith("invalid at: ").contains("RFC 3339");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "resourceVersion=103",
                "resourceVersion=103&resourceVersionMatch=Exact",
                "continue=abc",
                "history=true",
                "watch=true"
            })
    void refusesATimeWithOtherRevisionParameters(String other) throws Exception {
        for (String path : new String[] {ALL, "/kv/registry/"}) {
            Answer bad = get(path + "?at=" + DAY + "10:00:03Z&" + other);
            assertThat(bad.status()).as(path).isEqualTo(400);
            assertThat(bad.json().path("reason").asText()).isEqualTo("BadRequest");
        }
    }

    @Test
    void refusesTimesOfAReplacedHistory() throws Exception {
        cluster.elsewhere(10);
        cluster.relist(true);
        Answer expired = get(ALL + "?at=" + DAY + "10:00:03Z");
        assertThat(expired.status()).isEqualTo(410);
        assertThat(expired.message()).contains("goes back to 2026-11-21T10:00:06Z");
    }

    @Test
    void reportsAnObjectThatWasUnreadableThen() throws Exception {
        Bytes key = MirroredCluster.podKey("a", "bad");
        cluster.raw(key, new byte[] {1}, "malformed JSON"); // 106 at :06
        second();
        cluster.delete(key);
        second();
        Answer then = get("/api/v1/namespaces/a/pods/bad?at=" + DAY + "10:00:06Z");
        assertThat(then.status()).isEqualTo(500);
        assertThat(then.message()).contains("malformed JSON");
        assertThat(get(ALL + "?at=" + DAY + "10:00:06Z").names()).containsExactly("two", "three");
    }
}
