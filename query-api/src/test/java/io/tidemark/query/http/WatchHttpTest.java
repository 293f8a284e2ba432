package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.serving.testing.Json;
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

class WatchHttpTest {
    private static final String ALL = "/api/v1/pods?watch=1";
    private static final String A = "/api/v1/namespaces/a/pods?watch=1";

    private MirroredCluster cluster;
    private QueryNodeFixture fixture;

    @BeforeEach
    void startNode() {
        cluster = new MirroredCluster(4, 100);
        cluster.pod("b", "two", Map.of("app", "x"), "n1"); // 101
        cluster.pod("a", "one", Map.of("app", "x"), "n1"); // 102
        fixture =
                new QueryNodeFixture(
                        cluster,
                        c -> c.withTimes(c.times().withBookmarkInterval(Duration.ofMillis(100))));
    }

    @AfterEach
    void stopNode() {
        fixture.close();
    }

    private Watch watch(String path) throws Exception {
        return fixture.client.watch(path);
    }

    @Test
    void startsAPlainWatchWithTheCurrentObjects() throws Exception {
        try (Watch watch = watch(ALL)) {
            assertThat(watch.next(2)).containsExactly("ADDED one@102", "ADDED two@101");
            cluster.pod("c", "three", Map.of());
            cluster.pod("a", "one", Map.of());
            cluster.delete(MirroredCluster.podKey("b", "two"));
            assertThat(watch.next(3))
                    .containsExactly("ADDED three@103", "MODIFIED one@104", "DELETED two@105");
        }
    }

    @Test
    void endsTheInitialEventsOfAWatchListWithABookmark() throws Exception {
        cluster.elsewhere(5); // 107
        String query = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        try (Watch watch =
                watch(
                        A
                                + query
                                + "&allowWatchBookmarks=true&resourceVersion=103&timeoutSeconds=9")) {
            assertThat(watch.next(2)).containsExactly("ADDED one@102", "BOOKMARK END@107");
        }
    }

    /** The default goes by the parameter watch and by the text 0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespaces/a/pods?watch=1&resourceVersion=00",
                "/api/v1/watch/namespaces/a/pods?",
                "/api/v1/watch/namespaces/a/pods?resourceVersion=0"
            })
    void marksNoEndOfInitialEventsWithoutTheDefault(String path) throws Exception {
        try (Watch watch = watch(path + "&allowWatchBookmarks=true&timeoutSeconds=30")) {
            assertThat(watch.next(1)).containsExactly("ADDED one@102");
            cluster.pod("z", "other", Map.of()); // 103
            assertThat(watch.next(1)).containsExactly("BOOKMARK @103");
        }
    }

    @Test
    void refusesAWatchListButDelaysAWatchOfAFutureRevision() throws Exception {
        String query = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
        try (QueryNodeFixture impatient = QueryNodeFixture.impatient(cluster);
                Watch watch = impatient.client.watch(A + query + "&resourceVersion=999")) {
            assertThat(watch.status()).isEqualTo(200);
            assertThat(watch.rest()).containsExactly("ERROR 504");
        }
        try (Watch watch = watch(A + "&resourceVersion=104")) {
            cluster.pod("a", "one", Map.of()); // 103
            cluster.pod("a", "one", Map.of()); // 104
            cluster.pod("a", "one", Map.of()); // 105
            assertThat(watch.next(1)).containsExactly("MODIFIED one@105");
        }
    }

    @Test
    void resumesFromHistoryAndFailsBelowTheFloor() throws Exception {
        try (Watch watch = watch(ALL + "&resourceVersion=100")) {
            assertThat(watch.next(2)).containsExactly("ADDED two@101", "ADDED one@102");
        }
        try (Watch watch = watch(ALL + "&resourceVersion=99")) {
            JsonNode error = watch.next();
            assertThat(error.path("type").asText()).isEqualTo("ERROR");
            assertThat(error.path("object").path("message").asText())
                    .isEqualTo("too old resource version: 99 (100)");
            assertThat(watch.next().isMissingNode()).isTrue();
        }
    }

    @Test
    void endsCleanlyAtItsTimeoutAfterBookmarks() throws Exception {
        try (Watch watch =
                watch(ALL + "&resourceVersion=102&timeoutSeconds=15&allowWatchBookmarks=1")) {
            cluster.elsewhere(5); // 107
            List<String> events = watch.rest();
            assertThat(events).isNotEmpty().containsOnly("BOOKMARK @107");
        }
        try (Watch watch =
                watch(ALL + "&resourceVersion=107&timeoutSeconds=3&allowWatchBookmarks=1")) {
            assertThat(watch.rest()).isEmpty();
        }
        for (String timeout : new String[] {"-1", "-9223372036854775808"}) {
            try (Watch watch = watch(ALL + "&resourceVersion=102&timeoutSeconds=" + timeout)) {
                assertThat(watch.rest()).isEmpty();
            }
        }
    }

    @Test
    void sendsBookmarksForChangesElsewhere() throws Exception {
        try (Watch watch =
                watch(A + "&resourceVersion=102&timeoutSeconds=30&allowWatchBookmarks=1")) {
            cluster.pod("z", "other", Map.of()); // 103
            JsonNode bookmark = watch.next();
            assertThat(Watch.shown(bookmark)).isEqualTo("BOOKMARK @103");
            assertThat(bookmark.path("object").path("kind").asText()).isEqualTo("Pod");
        }
    }

    /** A minute passes between the bookmarks of this node unless a client asks for more. */
    @Test
    void sendsBookmarksAsOftenAsAsked() throws Exception {
        try (QueryNodeFixture slow =
                        new QueryNodeFixture(
                                cluster,
                                c ->
                                        c.withTimes(
                                                c.times()
                                                        .withBookmarkInterval(
                                                                Duration.ofMinutes(1))));
                Watch watch =
                        slow.client.watch(
                                A
                                        + "&resourceVersion=102&allowWatchBookmarks=1"
                                        + "&watchBookmarkFrequency=1ms")) {
            String last = "";
            for (int revision = 103; revision < 106; revision++) {
                cluster.pod("z", "other", Map.of());
                String next = Watch.shown(watch.next());
                while (next.equals(last)) {
                    // The next interval has begun before the write.
                    next = Watch.shown(watch.next());
                }
                assertThat(next).isEqualTo("BOOKMARK @" + revision);
                last = next;
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "often", "1x", "-", "99999999999999h"})
    void refusesAnIntervalOfBookmarksThatIsNoDuration(String frequency) throws Exception {
        Answer answer = fixture.client.get(A + "&watchBookmarkFrequency=" + frequency);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.message())
                .isEqualTo(
                        "watchBookmarkFrequency: \"%s\" is no duration such as 500ms or 5s"
                                .formatted(frequency));
    }

    @Test
    void sendsADeletionWithTheFormerContentOnLeavingASelector() throws Exception {
        try (Watch watch = watch(ALL + "&resourceVersion=102&labelSelector=app%3Dx")) {
            cluster.pod("a", "one", Map.of("app", "y"), "n2"); // 103
            cluster.pod("a", "one", Map.of("app", "z")); // 104
            cluster.pod("a", "one", Map.of("app", "x"), "n3"); // 105
            cluster.delete(MirroredCluster.podKey("a", "one")); // 106
            JsonNode left = watch.next();
            assertThat(Watch.shown(left)).isEqualTo("DELETED one@103");
            assertThat(left.at("/object/metadata/labels/app").asText()).isEqualTo("x");
            assertThat(left.at("/object/spec/nodeName").asText()).isEqualTo("n1");
            assertThat(watch.next(2)).containsExactly("ADDED one@105", "DELETED one@106");
        }
    }

    @Test
    void sendsADeletionWhenAnObjectBecomesUnreadable() throws Exception {
        try (Watch watch = watch(A + "&resourceVersion=102")) {
            cluster.raw(MirroredCluster.podKey("a", "one"), new byte[] {0}, "binary"); // 103
            cluster.pod("a", "one", Map.of()); // 104
            assertThat(watch.next(2)).containsExactly("DELETED one@103", "ADDED one@104");
        }
    }

    @Test
    void sendsOnlyThePodsOfTheSelectedNode() throws Exception {
        try (Watch watch = watch(ALL + "&resourceVersion=102&fieldSelector=spec.nodeName%3Dn1")) {
            cluster.pod("c", "three", Map.of(), "n2"); // 103
            cluster.pod("c", "three", Map.of(), "n1"); // 104
            cluster.pod("c", "three", Map.of(), "n2"); // 105
            assertThat(watch.next(2)).containsExactly("ADDED three@104", "DELETED three@105");
        }
    }

    @Test
    void sendsATransactionOverPartitionsWholeAndInOrder() throws Exception {
        try (Watch watch = watch(ALL + "&resourceVersion=102")) {
            cluster.txn(
                    List.of(
                            MirroredCluster.podOp("d", "x", Map.of(), ""),
                            MirroredCluster.podOp("a", "y", Map.of(), ""),
                            MirroredCluster.podOp("c", "z", Map.of(), "")));
            assertThat(watch.next(3)).containsExactly("ADDED x@103", "ADDED y@103", "ADDED z@103");
        }
    }

    @Test
    void holdsEventsUntilEveryPartitionHasReachedThem() throws Exception {
        int slow = cluster.partitionOf("/registry/pods/a/");
        try (Watch watch = watch(ALL + "&resourceVersion=102")) {
            cluster.holdBack(slow, true);
            cluster.txn(
                    List.of(
                            MirroredCluster.podOp("b", "two", Map.of(), ""),
                            MirroredCluster.podOp("a", "one", Map.of(), "")));
            cluster.pod("b", "four", Map.of());
            cluster.holdBack(slow, false);
            assertThat(watch.next(3))
                    .containsExactly("MODIFIED two@103", "MODIFIED one@103", "ADDED four@104");
        }
    }

    @Test
    void endsEveryWatchOnANewHistory() throws Exception {
        try (Watch live = watch(ALL + "&resourceVersion=102")) {
            cluster.pod("a", "one", Map.of());
            assertThat(live.next(1)).containsExactly("MODIFIED one@103");
            cluster.relist(true);
            assertThat(live.rest()).containsExactly("ERROR 410");
        }
    }

    @Test
    void watchesOnDeprecatedPaths() throws Exception {
        try (Watch watch = watch("/api/v1/watch/namespaces/a/pods/one?resourceVersion=0")) {
            assertThat(watch.next(1)).containsExactly("ADDED one@102");
            cluster.pod("a", "other", Map.of());
            cluster.pod("a", "one", Map.of());
            assertThat(watch.next(1)).containsExactly("MODIFIED one@104");
        }
    }

    @Test
    void sendsTheColumnsOfATableOnce() throws Exception {
        String accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
        try (Watch watch = fixture.client.watch(A, "Accept", accept)) {
            assertThat(watch.next().at("/object/columnDefinitions")).isNotEmpty();
            cluster.pod("a", "one", Map.of());
            JsonNode second = watch.next();
            assertThat(second.at("/object/kind").asText()).isEqualTo("Table");
            assertThat(second.at("/object/columnDefinitions").size()).isZero();
            assertThat(second.at("/object/rows/0/cells/0").asText()).isEqualTo("one");
        }
    }

    @Test
    void refusesAWatchOfUnstoredResources() throws Exception {
        try (Watch watch = watch("/api/v1/componentstatuses?watch=1")) {
            assertThat(watch.status()).isEqualTo(405);
            JsonNode status = watch.next();
            assertThat(status.path("message").asText())
                    .isEqualTo("watch is not supported on resources of kind \"componentstatuses\"");
            assertThat(status.at("/details/kind").asText()).isEqualTo("componentstatuses");
        }
    }

    @Test
    void endsAWatchInAListFormAtItsFirstEvent() throws Exception {
        String accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
        try (Watch live = fixture.client.watch(A + "&resourceVersion=102", "Accept", accept);
                Watch list = fixture.client.watch(A, "Accept", accept)) {
            assertThat(list.rest()).isEmpty();
            cluster.pod("a", "one", Map.of());
            assertThat(live.rest()).isEmpty();
        }
        try (Watch old = fixture.client.watch(A + "&resourceVersion=1", "Accept", accept)) {
            assertThat(old.rest()).containsExactly("ERROR 410");
        }
    }

    @Test
    void endsWatchesCleanlyOnStop() throws Exception {
        try (Watch watch = watch(ALL + "&resourceVersion=102")) {
            fixture.node.close();
            assertThat(watch.rest()).isEmpty();
        }
    }

    @Test
    void sendsAFinalBookmarkToEachWatchOnDrain() throws Exception {
        String path = A + "&resourceVersion=102";
        List<Watch> watches = new ArrayList<>();
        try (QueryNodeFixture stopping = new QueryNodeFixture(cluster)) {
            for (int i = 0; i < 5; i++) {
                watches.add(stopping.client.watch(path + "&allowWatchBookmarks=true"));
            }
            Watch quiet = stopping.client.watch(path);
            Watch ahead = stopping.client.watch(A + "&resourceVersion=900&allowWatchBookmarks=1");
            Watch idle = stopping.client.watch(path + "&fieldSelector=metadata.name%3Dx");
            cluster.pod("a", "one", Map.of());
            for (Watch watch : watches) {
                assertThat(watch.next(1)).containsExactly("MODIFIED one@103");
            }
            assertThat(quiet.next(1)).containsExactly("MODIFIED one@103");
            stopping.node.close();
            for (Watch watch : watches) {
                assertThat(watch.rest()).containsExactly("BOOKMARK @103");
            }
            for (Watch watch : List.of(quiet, ahead, idle)) {
                assertThat(watch.rest()).isEmpty();
            }
        }
    }

    @Test
    void servesRequestsDuringADrainAndClosesTheirConnections() throws Exception {
        assertThat(fixture.client.get("/api/v1/namespaces/a/pods").header("Connection")).isEmpty();
        fixture.node.stopAccepting();
        Answer list = fixture.client.get("/api/v1/namespaces/a/pods");
        assertThat(list.names()).containsExactly("one");
        assertThat(list.header("Connection")).isEqualTo("close");
    }

    @Test
    void sendsObjectsOfMegabytes() throws Exception {
        String note = "n".repeat(1_400_000);
        try (Watch watch = watch(A + "&resourceVersion=102")) {
            cluster.put("/registry/pods/a/big", at -> Json.pod("a", "big", at, Map.of(), "", note));
            JsonNode event = watch.next();
            assertThat(event.at("/object/spec/note").asText()).hasSize(1_400_000);
        }
        assertThat(fixture.client.get("/api/v1/namespaces/a/pods").names())
                .containsExactly("big", "one");
        assertThat(
                        fixture.client
                                .get("/api/v1/namespaces/a/pods", "Accept-Encoding", "br, gzip")
                                .header("Content-Encoding"))
                .isEqualTo("gzip");
    }

    @Test
    void doesNotDelayOthersForAStalledReader() throws Exception {
        String note = "n".repeat(100_000);
        try (Watch stalled = watch(ALL + "&resourceVersion=102");
                Watch other = watch(ALL + "&resourceVersion=102")) {
            for (int i = 0; i < 300; i++) {
                String name = "p" + i;
                cluster.put(
                        "/registry/pods/a/" + name,
                        at -> Json.pod("a", name, at, Map.of(), "", note));
                assertThat(other.next(1)).containsExactly("ADDED %s@%d".formatted(name, 103 + i));
            }
            for (int i = 0; i < 300; i++) {
                assertThat(stalled.next(1)).containsExactly("ADDED p%d@%d".formatted(i, 103 + i));
            }
        }
    }
}
