package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api;
import io.tidemark.harness.Api.Answer;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The tests of etcd's own watch cache, {@code cache/} and tests/integration/cache_test.go, over
 * plain keys. Omitted: ranges that are no prefix and "from key", which have no request here.
 */
@ExtendWith(SharedCluster.class)
class EtcdCacheIT {
    private final ScenarioCluster cluster;
    private final Api api;
    private final EtcdClient etcd;

    EtcdCacheIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.api = cluster.api();
        this.etcd = cluster.etcd().client();
    }

    /**
     * TestCacheWatchAtomicOrderedDelivery: one revision's events arrive together, in etcd's order.
     * On a busy machine a bookmark may come between two revisions.
     */
    @Scenario
    void watchAtomicOrderedDelivery() throws Exception {
        String dir = directory();
        long before = cluster.elsewhere();
        long one = etcd.txn(Txn.of(put(dir + "x/a"))).revision();
        long two =
                etcd.txn(Txn.of(put(dir + "y/c"), put(dir + "x/a"), put(dir + "z/b"))).revision();
        long three =
                etcd.txn(Txn.of(delete(dir + "z/b"), put(dir + "a/d"), delete(dir + "x/a")))
                        .revision();
        List<List<String>> expected =
                List.of(
                        List.of("ADDED " + dir + "x/a@" + one),
                        List.of(
                                "ADDED " + dir + "y/c@" + two,
                                "MODIFIED " + dir + "x/a@" + two,
                                "ADDED " + dir + "z/b@" + two),
                        List.of(
                                "DELETED " + dir + "z/b@" + three,
                                "ADDED " + dir + "a/d@" + three,
                                "DELETED " + dir + "x/a@" + three));
        JsonNode _ = cluster.read("/kv" + dir);
        String query = "allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=" + before;
        try (Api.WatchStream watch = api.watch("/kv" + dir + "?watch=true&" + query)) {
            List<String> events = watch.rest().stream().map(EtcdCacheIT::shown).toList();
            int from = 0;
            for (List<String> revision : expected) {
                from += bookmarksAt(events, from);
                assertThat(events.subList(from, events.size()))
                        .startsWith(revision.toArray(String[]::new));
                from += revision.size();
            }
            assertThat(from + bookmarksAt(events, from)).isEqualTo(events.size());
        }
    }

    private static int bookmarksAt(List<String> events, int from) {
        int to = from;
        while (to < events.size() && events.get(to).startsWith("BOOKMARK")) {
            to++;
        }
        return to - from;
    }

    /** TestWatch: one key, a prefix, no key; from the past, from now, from the future. */
    @Scenario
    void watch() throws Exception {
        String dir = directory();
        long one = etcd.txn(Txn.of(put(dir + "a"))).revision();
        long two = etcd.txn(Txn.of(put(dir + "a"), put(dir + "ab"))).revision();
        long three = etcd.txn(Txn.of(put(dir + "b"))).revision();
        String a1 = "ADDED " + dir + "a@" + one;
        String a2 = "MODIFIED " + dir + "a@" + two;
        String ab2 = "ADDED " + dir + "ab@" + two;
        String b3 = "ADDED " + dir + "b@" + three;
        Map<String, List<String>> cases =
                Map.of(
                        "a?resourceVersion=" + (one - 1), List.of(a1, a2),
                        "a?resourceVersion=" + one, List.of(a2),
                        "a?resourceVersion=" + three, List.of(),
                        "a?prefix=true&resourceVersion=" + (one - 1), List.of(a1, a2, ab2),
                        "?resourceVersion=" + (one - 1), List.of(a1, a2, ab2, b3),
                        "?resourceVersion=" + two, List.of(b3),
                        "none?resourceVersion=" + (one - 1), List.of(),
                        "a/?resourceVersion=" + (one - 1), List.of(),
                        "?resourceVersion=" + (three + 1_000_000), List.of());
        JsonNode _ = cluster.read("/kv" + dir);
        Map<String, Api.WatchStream> open = new TreeMap<>();
        for (String query : cases.keySet()) {
            open.put(query, api.watch("/kv" + dir + query + "&watch=true&timeoutSeconds=3"));
        }
        for (Map.Entry<String, Api.WatchStream> each : open.entrySet()) {
            try (Api.WatchStream watch = each.getValue()) {
                assertThat(watch.rest().stream().map(EtcdCacheIT::shown).toList())
                        .as(each.getKey())
                        .isEqualTo(cases.get(each.getKey()));
            }
        }
    }

    /** TestGet: a key and a prefix, now, in the past, in the future, before all history. */
    @Scenario
    void get() throws Exception {
        String dir = directory();
        long one = etcd.txn(Txn.of(put(dir + "a"), put(dir + "b"))).revision();
        long two = etcd.txn(Txn.of(put(dir + "a"), delete(dir + "b"), put(dir + "c"))).revision();
        String exact = "&resourceVersionMatch=Exact&resourceVersion=";
        assertThat(keys(dir + "?")).containsExactly(dir + "a@" + two, dir + "c@" + two);
        assertThat(keys(dir + "?resourceVersion=" + two))
                .containsExactly(dir + "a@" + two, dir + "c@" + two);
        assertThat(keys(dir + "?" + exact + one))
                .containsExactly(dir + "a@" + one, dir + "b@" + one);
        assertThat(keys(dir + "?" + exact + (one - 1))).isEmpty();
        assertThat(keys(dir + "a?prefix=true")).containsExactly(dir + "a@" + two);
        assertThat(status(dir + "?" + exact + cluster.tooOld())).isEqualTo("410 Expired");
        Answer future = api.get("/kv" + dir + "?" + exact + (two + 1_000_000));
        assertThat(AnswerSummary.refusal(future)).isEqualTo("504 Timeout");
        assertThat(status(dir + "b?output=json")).isEqualTo("404 NotFound");
        assertThat(status("/other/key?output=json")).isEqualTo("404 NotFound");
        JsonNode a = cluster.read("/kv" + dir + "a?output=json");
        assertThat(a.path("modRevision").asLong()).isEqualTo(two);
        assertThat(a.path("createRevision").asLong()).isEqualTo(one);
        assertThat(a.path("version").asLong()).isEqualTo(2);
    }

    private static String directory() {
        return "/registry/plain-" + ScenarioCluster.space() + "/";
    }

    private static Op put(String key) {
        return new Op.Put(Bytes.utf8(key), Bytes.utf8("value"));
    }

    private static Op delete(String key) {
        return new Op.Delete(Bytes.utf8(key));
    }

    private List<String> keys(String path) throws Exception {
        List<String> keys = new ArrayList<>();
        for (JsonNode item : cluster.read("/kv" + path).path("items")) {
            keys.add(item.path("key").asText() + "@" + item.path("modRevision").asLong());
        }
        return keys;
    }

    private String status(String path) throws Exception {
        Answer answer = api.getInTime("/kv" + path);
        return AnswerSummary.refusal(answer);
    }

    private static String shown(JsonNode event) {
        JsonNode object = event.path("object");
        return event.path("type").asText()
                + " "
                + object.path("key").asText()
                + "@"
                + object.path("modRevision").asText();
    }
}
