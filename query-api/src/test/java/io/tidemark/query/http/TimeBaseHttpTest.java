package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.catalog.LiveCatalog;
import io.tidemark.query.testing.Definitions;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The past in front of a path. The cluster is listed at 10:00:00 and changes each second until
 * 10:00:07.
 */
class TimeBaseHttpTest {
    private static final String PODS = "/api/v1/pods";
    private static final String DAY = "2026-11-21T";
    private static final Bytes DEFINITION = Bytes.utf8(Definitions.WIDGETS);

    private MirroredCluster cluster;
    private LiveCatalog catalog;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        second();
        cluster.pod("a", "one", Map.of("app", "x")); // 101 at 10:00:01
        second();
        define(); // 102 at :02
        second();
        cluster.put("/registry/example.com/widgets/n/w", TimeBaseHttpTest::widget); // 103 at :03
        second();
        cluster.pod("b", "two", Map.of("app", "x")); // 104 at :04
        second();
        cluster.delete(DEFINITION); // 105 at :05
        second();
        cluster.delete(MirroredCluster.podKey("a", "one")); // 106 at :06
        second();
        catalog = Definitions.catalog(cluster);
        fixture = new QueryNodeFixture(cluster, catalog);
    }

    private void second() {
        cluster.advance(Duration.ofSeconds(1));
    }

    private void define() {
        Definitions.widgets(cluster, "{\"type\":\"object\"}");
    }

    private static String widget(long at) {
        return """
        {"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w",\
        "resourceVersion":"%d","namespace":"n"}}\
        """
                .formatted(at);
    }

    @AfterEach
    void stopNode() {
        fixture.close();
        catalog.close();
    }

    private Answer get(String path) throws Exception {
        return fixture.client.get(path);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T10:00:01Z, 101, one",
        "2026-11-21T10:00:04.5Z, 104, one two",
        "2026-11-21T11:00:04%2B01:00, 104, one two",
        "104, 104, one two",
        "-3s, 104, one two",
        "-0h0m6s, 101, one",
        "2026-11-21T10:00:06Z, 106, two"
    })
    void showsTheStateOfAMoment(String moment, String revision, String names) throws Exception {
        Answer list = get("/at/" + moment + PODS);
        assertThat(list.status()).as(list.text()).isEqualTo(200);
        assertThat(list.resourceVersion()).isEqualTo(revision);
        assertThat(String.join(" ", list.names())).isEqualTo(names);
        Answer exact = get(PODS + "?resourceVersionMatch=Exact&resourceVersion=" + revision);
        assertThat(list.text()).isEqualTo(exact.text());
        assertThat(get("/replay/" + moment + PODS).text()).isEqualTo(exact.text());
    }

    @Test
    void answersEachFormOfReadsFromThatState() throws Exception {
        String at = "/at/104";
        assertThat(get(at + PODS + "?resourceVersion=0").resourceVersion()).isEqualTo("104");
        assertThat(get(at + PODS + "?resourceVersion=102").resourceVersion()).isEqualTo("104");
        assertThat(
                        get(at + PODS + "?resourceVersion=102&resourceVersionMatch=Exact")
                                .resourceVersion())
                .isEqualTo("102");
        Answer pod = get(at + "/api/v1/namespaces/a/pods/one");
        assertThat(pod.status()).isEqualTo(200);
        assertThat(pod.header("X-Tidemark-Revision")).isEqualTo("104");
        assertThat(get(at + "/kv/registry/pods/a/one?output=json").status()).isEqualTo(200);
        assertThat(get(at + "/kv/registry/pods/").text()).contains("one", "two");
        assertThat(get(at + "/api/v1/namespaces/a/pods/one?history=true").text())
                .doesNotContain("DELETED");
        assertThat(get("/api/v1/namespaces/a/pods/one?history=true").text()).contains("DELETED");
        assertThat(get(at + "/livez").status()).isEqualTo(200);
    }

    @Test
    void objectsAreAsOldAsTheyWereThen() throws Exception {
        String table = "application/json;as=Table;v=v1;g=meta.k8s.io";
        cluster.put(
                "/registry/namespaces/old",
                at ->
                        """
                        {"kind":"Namespace","apiVersion":"v1","metadata":{"name":"old",
                         "resourceVersion":"%d","creationTimestamp":"2026-11-21T09:00:00Z"}}\
                        """
                                .formatted(at));
        second();
        second();
        Answer then =
                fixture.client.get("/at/" + DAY + "10:00:09Z/api/v1/namespaces", "Accept", table);
        assertThat(then.status()).as(then.text()).isEqualTo(200);
        assertThat(then.text()).contains("60m");
    }

    @Test
    void pagesOfAMomentStayThere() throws Exception {
        Answer first = get("/at/104" + PODS + "?limit=1");
        assertThat(first.names()).containsExactly("one");
        Answer second = get("/at/104" + PODS + "?limit=1&continue=" + first.continueToken());
        assertThat(second.names()).containsExactly("two");
        assertThat(second.resourceVersion()).isEqualTo("104");
        String later = get(PODS + "?limit=1&resourceVersion=0").continueToken();
        cluster.pod("c", "three", Map.of());
        assertThat(later).isEmpty();
    }

    @Test
    void knowsNoRevisionAfterIt() throws Exception {
        Answer list = get("/at/104" + PODS + "?resourceVersion=105");
        assertThat(list.status()).isEqualTo(504);
        assertThat(list.message()).contains("Too large resource version: 105, current: 104");
        assertThat(
                        get("/at/104" + PODS + "?resourceVersion=105&resourceVersionMatch=Exact")
                                .status())
                .isEqualTo(504);
    }

    @Test
    void refusesWhatIsBelowTheFloorInTheFutureOrNoMoment() throws Exception {
        assertThat(get("/at/99" + PODS).status()).isEqualTo(410);
        assertThat(get("/at/99/api/v1/namespaces/a/pods/one").message())
                .isEqualTo("resourceVersion 99 is no longer known: history goes back to 100");
        assertThat(get("/at/" + DAY + "09:00:00Z" + PODS).status()).isEqualTo(410);
        assertThat(get("/at/" + DAY + "12:00:00Z" + PODS).status()).isEqualTo(400);
        assertThat(get("/at/104" + PODS + "?at=" + DAY + "10:00:04Z").status()).isEqualTo(400);
        assertThat(get("/at/104/at/103" + PODS).status()).isEqualTo(404);
        assertThat(get("/at/104/metrics").status()).isEqualTo(400);
        assertThat(get("/at/104/cluster").status()).isEqualTo(400);
        assertThat(fixture.client.send("DELETE", "/at/104/api/v1/namespaces/a/pods/one").status())
                .isEqualTo(405);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/at//api",
                "/at/yesterday/api",
                "/at/0/api",
                "/at/-/api",
                "/at/-10x/api",
                "/at/1234567890123456789/api",
                "/at/%00/api",
                "/at/",
                "/replay/-10m@/api",
                "/replay/-10m@0/api",
                "/replay/-10m@NaN/api",
                "/replay/-10m@Infinity/api",
                "/replay/-10m/api?speed=-1",
                "/replay/@2/api",
                "/at/-99999999999999h/api",
                "/at/%2E%2E/api",
                "/at/10:00/api"
            })
    void refusesOtherTexts(String path) throws Exception {
        Answer refused = get(path);
        assertThat(refused.status()).as(path + refused.text()).isIn(400, 404);
        assertThat(refused.text()).doesNotContain("internal error");
    }

    @Test
    void knowsTheCustomResourcesOfThen() throws Exception {
        String widgets = "/apis/example.com/v1/widgets";
        assertThat(get(widgets).status()).isEqualTo(404);
        assertThat(get("/at/101" + widgets).status()).isEqualTo(404);
        assertThat(get("/at/102" + widgets).names()).isEmpty();
        assertThat(get("/at/104" + widgets).names()).containsExactly("w");
        assertThat(get("/at/104/apis/example.com/v1/namespaces/n/widgets/w?history=true").text())
                .contains("ADDED");
        assertThat(get("/at/104/apis").text()).contains("example.com");
        assertThat(get("/at/106/apis").text()).doesNotContain("example.com");
        assertThat(get("/at/104/openapi/v3").text()).contains("apis/example.com/v1");
        assertThat(get("/apis").text()).doesNotContain("example.com");
    }

    @Test
    void aWatchOfAMomentGetsItsStateAndNoChange() throws Exception {
        try (Watch watch = fixture.client.watch("/at/104" + PODS + "?watch=1&timeoutSeconds=5");
                Watch later =
                        fixture.client.watch(
                                "/at/104"
                                        + PODS
                                        + "?watch=1&timeoutSeconds=5&resourceVersion=101"
                                        + "&allowWatchBookmarks=true")) {
            cluster.pod("c", "three", Map.of());
            assertThat(watch.rest()).containsExactly("ADDED one@101", "ADDED two@104");
            assertThat(later.rest()).containsExactly("ADDED two@104");
        }
    }

    @Test
    void aLongPollOfAMomentGetsNoLaterEvent() throws Exception {
        String poll = PODS + "?watch=1&longPoll=true&timeoutSeconds=1&resourceVersion=";
        assertThat(get("/at/104" + poll + "101").text()).contains("two").doesNotContain("DELETED");
        Answer end = get("/at/104" + poll + "104");
        assertThat(end.json().at("/events")).isEmpty();
        assertThat(end.resourceVersion()).isEqualTo("104");
    }

    @Test
    void aReplayPassesAtItsSpeed() throws Exception {
        long began = System.nanoTime();
        try (Watch slow =
                        fixture.client.watch(
                                "/replay/102" + PODS + "?watch=1&resourceVersion=102&speed=0.01");
                Watch fast =
                        fixture.client.watch(
                                "/replay/102@4" + PODS + "?watch=1&resourceVersion=102")) {
            assertThat(fast.next(2)).containsExactly("ADDED two@104", "DELETED one@106");
            // Four seconds of the history in one.
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isGreaterThan(Duration.ofMillis(900));
            cluster.pod("c", "three", Map.of());
            second();
            assertThat(fast.next(1)).containsExactly("ADDED three@107");
            slow.close();
        }
    }

    @Test
    void aReplayBeginsWithItsFirstStateAndResumesWhereItsClientIs() throws Exception {
        try (Watch whole = fixture.client.watch("/replay/101@100" + PODS + "?watch=1");
                Watch resumed =
                        fixture.client.watch(
                                "/replay/101@100" + PODS + "?watch=1&resourceVersion=104")) {
            assertThat(whole.next(3))
                    .containsExactly("ADDED one@101", "ADDED two@104", "DELETED one@106");
            assertThat(resumed.next(1)).containsExactly("DELETED one@106");
        }
        Answer relist = get("/replay/101" + PODS + "?resourceVersion=104");
        assertThat(relist.resourceVersion()).isEqualTo("104");
    }

    @Test
    void aWatchOfAMomentEndsWithItsHistory() throws Exception {
        try (Watch watch =
                fixture.client.watch(
                        "/at/104" + PODS + "?watch=1&resourceVersion=104&timeoutSeconds=5")) {
            cluster.relist(true);
            assertThat(watch.rest()).containsExactly("ERROR 410");
        }
    }
}
