package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtendWith;

/** watcher_tests.go: bookmarks, and the initial events of a watch. */
@ExtendWith(SharedCluster.class)
class WatcherTestsInitialEventsIT {
    private static final String INITIAL =
            "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&";
    private static final String BOOKMARKS = "allowWatchBookmarks=true&";

    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    WatcherTestsInitialEventsIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** RunOptionalTestProgressNotify: idle keys get bookmarks that advance. */
    @Scenario
    void progressNotify() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        long later = cluster.elsewhere();
        settled(ns);
        String query = BOOKMARKS + "timeoutSeconds=15&resourceVersion=" + created;
        try (ScenarioWatch watch = open(ns, query)) {
            JsonNode bookmark = watch.nextJson();
            assertThat(AnswerSummary.event(bookmark)).startsWith("BOOKMARK @");
            JsonNode object = bookmark.path("object");
            assertThat(object.path("kind").asText()).isEqualTo("Pod");
            assertThat(object.path("apiVersion").asText()).isEqualTo("v1");
            assertThat(object.path("metadata").path("resourceVersion").asLong())
                    .isGreaterThanOrEqualTo(later);
            assertThat(object.path("metadata").has("name")).isFalse();
        }
    }

    /** RunTestWatchDispatchBookmarkEvents. */
    @Scenario
    void watchDispatchBookmarkEvents() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        cluster.elsewhere();
        settled(ns);
        String query = "timeoutSeconds=15&resourceVersion=" + created;
        try (ScenarioWatch without = open(ns, query);
                ScenarioWatch with = open(ns, query + "&" + BOOKMARKS)) {
            assertThat(without.rest()).isEmpty();
            assertThat(with.rest()).isNotEmpty().allMatch(event -> event.startsWith("BOOKMARK @"));
        }
    }

    /** RunTestOptionalWatchBookmarksWithCorrectResourceVersion. */
    @Scenario
    void watchBookmarksWithCorrectResourceVersion() throws Exception {
        String ns = ScenarioCluster.space();
        String query = BOOKMARKS + "timeoutSeconds=15&resourceVersion=" + cluster.elsewhere();
        settled(ns);
        List<String> written = new CopyOnWriteArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread writer =
                Thread.ofVirtual()
                        .start(() -> {
                            for (int i = 0; !over.get(); i++) {
                                written.add("ADDED pod-" + i + "@" + pods.put(ns, "pod-" + i));
                            }
                        });
        try (ScenarioWatch watch = open(ns, query)) {
            long bookmark = 0;
            List<String> added = new ArrayList<>();
            for (String event : watch.rest()) {
                long at = Long.parseLong(event.substring(event.indexOf('@') + 1));
                if (event.startsWith("BOOKMARK")) {
                    assertThat(at).isGreaterThanOrEqualTo(bookmark);
                    bookmark = at;
                } else {
                    assertThat(at).isGreaterThan(bookmark);
                    added.add(event);
                }
            }
            assertThat(bookmark).isPositive();
            assertThat(added).isNotEmpty();
            over.set(true);
            writer.join();
            assertThat(added).isEqualTo(written.subList(0, added.size()));
        } finally {
            over.set(true);
        }
    }

    /** RunSendInitialEventsBackwardCompatibility. */
    @Scenario
    void sendInitialEventsBackwardCompatibility() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        try (ScenarioWatch watch = open(ns, INITIAL)) {
            assertThat(watch.next()).isEqualTo("ADDED foo@" + created);
        }
    }

    /** RunWatchSemantics: every combination of starting point, initial events and bookmarks. */
    @Scenario
    void watchSemantics() throws Exception {
        String ns = ScenarioCluster.space();
        long before = cluster.elsewhere();
        List<String> initial = new ArrayList<>();
        long last = 0;
        for (int i = 1; i <= 3; i++) {
            last = pods.put(ns, "pod-" + i);
            initial.add("ADDED pod-" + i + "@" + last);
        }
        settled(ns);
        String none = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&";
        List<Case> cases = new ArrayList<>();
        for (String revision : new String[] {"", "0", "" + before, "" + last}) {
            String at = "resourceVersion=" + revision + "&";
            boolean history = revision.equals("" + before);
            cases.add(new Case(INITIAL + at, initial, false));
            cases.add(new Case(INITIAL + BOOKMARKS + at, initial, true));
            cases.add(new Case(none + at, history ? initial : List.of(), false));
            cases.add(new Case(none + BOOKMARKS + at, history ? initial : List.of(), false));
        }
        cases.add(new Case("", initial, false));
        cases.add(new Case("resourceVersion=0&", initial, false));
        List<ScenarioWatch> open = new ArrayList<>();
        try {
            for (Case each : cases) {
                open.add(open(ns, each.query()));
                expectBeginning(each, open.getLast(), last);
            }
            long four = pods.put(ns, "pod-4");
            long five = pods.put(ns, "pod-5");
            for (int i = 0; i < cases.size(); i++) {
                assertThat(open.get(i).next(2))
                        .as(cases.get(i).query())
                        .containsExactly("ADDED pod-4@" + four, "ADDED pod-5@" + five);
            }
        } finally {
            for (ScenarioWatch stream : open) {
                stream.close();
            }
        }
    }

    private record Case(String query, List<String> begins, boolean marked) {}

    private static void expectBeginning(Case each, ScenarioWatch stream, long last)
            throws Exception {
        assertThat(stream.next(each.begins().size())).as(each.query()).isEqualTo(each.begins());
        if (each.marked()) {
            String end = stream.next();
            assertThat(end).as(each.query()).startsWith("END @");
            assertThat(Long.parseLong(end.substring("END @".length())))
                    .isGreaterThanOrEqualTo(last);
        }
    }

    /** RunWatchSemanticInitialEventsExtended. */
    @Scenario
    void watchSemanticInitialEventsExtended() throws Exception {
        String ns = ScenarioCluster.space();
        long mine = pods.put(ns, "mine");
        long other = pods.put(ns + "-other", "other");
        try (ScenarioWatch watch = open(ns, INITIAL + BOOKMARKS)) {
            assertThat(watch.next()).isEqualTo("ADDED mine@" + mine);
            String end = watch.next();
            assertThat(end).startsWith("END @");
            assertThat(Long.parseLong(end.substring("END @".length())))
                    .isGreaterThanOrEqualTo(other);
        }
    }

    /** RunWatchListMatchSingle. */
    @Scenario
    void watchListMatchSingle() throws Exception {
        String ns = ScenarioCluster.space();
        long one = pods.put(ns, "pod-1");
        long two = pods.put(ns, "pod-2");
        String name = "fieldSelector=metadata.name%3Dpod-1&";
        try (ScenarioWatch watch = open(ns, INITIAL + BOOKMARKS + name)) {
            assertThat(watch.next()).isEqualTo("ADDED pod-1@" + one);
            String end = watch.next();
            assertThat(end).startsWith("END @");
            assertThat(Long.parseLong(end.substring("END @".length()))).isGreaterThanOrEqualTo(two);
        }
    }

    private ScenarioWatch open(String namespace, String parameters) throws Exception {
        return ScenarioWatch.open(cluster.api(), pods.path(namespace), parameters);
    }

    /** The write is mirrored: from now on reads of any state include it. */
    private void settled(String namespace) throws Exception {
        JsonNode _ = cluster.read(pods.path(namespace));
    }
}
