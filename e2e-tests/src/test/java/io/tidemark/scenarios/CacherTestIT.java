package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * cacher_test.go, cacher_whitebox_test.go and the watch cache's tests: what a client can see of
 * them. Omitted: sizes of buffers and of the ring, which do not exist here; time budgets and
 * buckets of the dispatcher; delegation to etcd, which Tidemark does not do; shard selectors, which
 * are an alpha feature. Scenarios with a failing cluster are in {@link CacherFaultsIT}.
 */
@ExtendWith(SharedCluster.class)
class CacherTestIT {
    private static final String INITIAL =
            "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&";

    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;
    private final EtcdClient etcd;

    CacherTestIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
        this.etcd = cluster.etcd().client();
    }

    /** TestEmptyWatchEventCache. */
    @Scenario
    void emptyWatchEventCache() throws Exception {
        String ns = ScenarioCluster.space();
        long now = cluster.elsewhere();
        for (long at : new long[] {now, now + 1, now + 100_000}) {
            try (ScenarioWatch watch = open(ns, "timeoutSeconds=1&resourceVersion=" + at)) {
                assertThat(watch.rest()).isEmpty();
            }
        }
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + cluster.tooOld())) {
            assertThat(watch.rest()).containsExactly("ERROR 410 Expired");
        }
    }

    /** TestStartingResourceVersion. */
    @Scenario
    void startingResourceVersion() throws Exception {
        String ns = ScenarioCluster.space();
        long at = 0;
        for (int i = 0; i < 10; i++) {
            at = pods.put(ns, "foo");
        }
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + at)) {
            long next = pods.put(ns, "foo");
            assertThat(watch.next()).isEqualTo("MODIFIED foo@" + next);
        }
        // In the future: no event is sent early or twice, robustness issue 20221.
        long future = cluster.revision() + 1_000_000;
        try (ScenarioWatch watch = open(ns, "timeoutSeconds=2&resourceVersion=" + future)) {
            pods.put(ns, "foo");
            assertThat(watch.rest()).isEmpty();
        }
    }

    /** TestTooLargeResourceVersionErrorForWatchList. */
    @Scenario
    void tooLargeResourceVersionErrorForWatchList() throws Exception {
        String future = "resourceVersion=" + (cluster.revision() + 1_000_000);
        try (ScenarioWatch watch = open(ScenarioCluster.space(), INITIAL + future)) {
            JsonNode error = watch.nextJson();
            assertThat(AnswerSummary.event(error)).isEqualTo("ERROR 504 Timeout");
            assertThat(
                            error.path("object")
                                    .path("details")
                                    .path("causes")
                                    .path(0)
                                    .path("reason")
                                    .asText())
                    .isEqualTo("ResourceVersionTooLarge");
            assertThat(watch.rest()).isEmpty();
        }
    }

    /** TestWaitUntilWatchCacheFreshAndListTimeout. */
    @Scenario
    void listTimeout() throws Exception {
        long start = System.nanoTime();
        String future = "?resourceVersion=" + (cluster.revision() + 1_000_000);
        assertThat(AnswerSummary.refusal(cluster.api().get(pods.path("default") + future)))
                .isEqualTo("504 Timeout");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isGreaterThanOrEqualTo(Duration.ofMillis(2_900));
    }

    /** TestWatchListIsSynchronisedWhenNoEventsFromStoreReceived. */
    @Scenario
    void watchListIsSynchronisedWhenNoEventsCome() throws Exception {
        try (ScenarioWatch watch =
                open(ScenarioCluster.space(), INITIAL + "allowWatchBookmarks=true")) {
            assertThat(watch.next()).startsWith("END @");
        }
    }

    /** TestCachingDeleteEvents: every watcher of a delete gets the same bytes. */
    @Scenario
    void cachingDeleteEvents() throws Exception {
        String ns = ScenarioCluster.space();
        Map<String, String> labels = Map.of("foo", "bar");
        long created = pods.put(ns, "foo", labels, "n1");
        String from = "resourceVersion=" + created;
        try (ScenarioWatch one = open(ns, from);
                ScenarioWatch two = open(ns, from + "&labelSelector=foo%3Dbar");
                ScenarioWatch three = open(ns, from + "&fieldSelector=spec.nodeName%3Dn1");
                ScenarioWatch four = open("", from + "&labelSelector=foo%3Dbar")) {
            long deleted = pods.delete(ns, "foo");
            JsonNode event = one.nextJson();
            assertThat(AnswerSummary.event(event)).isEqualTo("DELETED foo@" + deleted);
            for (ScenarioWatch other : List.of(two, three, four)) {
                assertThat(other.nextJson()).isEqualTo(event);
            }
        }
    }

    /** TestWatcherNotGoingBackInTime. */
    @Scenario
    void watcherNotGoingBackInTime() throws Exception {
        String ns = ScenarioCluster.space();
        String from = "resourceVersion=" + cluster.elsewhere();
        try (ScenarioWatch slow = open(ns, from);
                ScenarioWatch fast = open(ns, from)) {
            for (int i = 0; i < 10; i++) {
                List<Op> writes = new ArrayList<>();
                for (int j = 0; j < 100; j++) {
                    writes.add(pods.op(ns, "pod-%03d".formatted(i * 100 + j)));
                }
                etcd.txn(Txn.of(writes.toArray(Op[]::new)));
            }
            List<String> events = fast.next(1000);
            long last = 0;
            for (String event : events) {
                long at = Long.parseLong(event.substring(event.indexOf('@') + 1));
                assertThat(at).isGreaterThanOrEqualTo(last);
                last = at;
            }
            assertThat(events).doesNotHaveDuplicates();
            assertThat(slow.next(1000)).isEqualTo(events);
        }
    }

    /** A lease's end deletes many objects at one revision: their events arrive together. */
    @Scenario
    void leaseExpiryIsDeliveredAtomically() throws Exception {
        String ns = ScenarioCluster.space();
        long lease = etcd.grantLease(Duration.ofSeconds(60)).id();
        long last = 0;
        for (int i = 0; i < 30; i++) {
            Op.Put op = pods.op(ns, "pod-%02d".formatted(i));
            last = etcd.put(op.key(), op.value(), lease);
        }
        String query = "allowWatchBookmarks=true&resourceVersion=" + last;
        try (ScenarioWatch watch = open(ns, query)) {
            etcd.revokeLease(lease);
            List<String> gone = watch.next(30);
            String at = gone.getFirst().substring(gone.getFirst().indexOf('@'));
            for (int i = 0; i < 30; i++) {
                assertThat(gone).contains("DELETED pod-%02d".formatted(i) + at);
            }
            try (ScenarioWatch resumed =
                    open(ns, "timeoutSeconds=1&resourceVersion=" + at.substring(1))) {
                assertThat(resumed.rest()).isEmpty();
            }
        }
    }

    private ScenarioWatch open(String namespace, String parameters) throws Exception {
        return ScenarioWatch.open(cluster.api(), pods.path(namespace), parameters);
    }
}
