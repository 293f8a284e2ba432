package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * The scenarios of cacher_test.go and etcd's cache library that need a separate cluster, because
 * they make it fail, or fill its history. They run in order; the last one stops it.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(600)
class CacherFaultsIT {
    private static final int HISTORY_BYTES = 100_000;

    private static ScenarioCluster cluster;
    private static ScenarioObjects pods;

    @BeforeAll
    static void start() {
        cluster = ScenarioCluster.start("--partitions=1", "--history-bytes=" + HISTORY_BYTES);
        pods = ScenarioObjects.pods(cluster);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** TestCacherNoLeakWithMultipleWatchers, RunTestWatchContextCancel. */
    @Test
    @Order(1)
    void noLeakWithMultipleWatchers() throws Exception {
        for (int round = 0; round < 10; round++) {
            List<ScenarioWatch> open = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                open.add(open("leak", "resourceVersion=0"));
            }
            assertThat(openWatches()).isGreaterThanOrEqualTo(10);
            for (ScenarioWatch stream : open) {
                stream.close();
            }
        }
        // The node detects that a client has left when it sends the next event.
        Awaitility.await()
                .untilAsserted(() -> {
                    pods.put("leak", "object");
                    assertThat(openWatches()).isZero();
                });
    }

    private static long openWatches() throws Exception {
        return cluster.api()
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("apiserver_registered_watchers"))
                .mapToLong(line ->
                        (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** TestCacheCompactionResync, RunTestListInconsistentContinuation: the history moves on. */
    @Test
    @Order(2)
    void rejectsWatchesBelowTheHistoryWindow() throws Exception {
        for (String name : List.of("a", "b", "c")) {
            pods.put("old", name);
        }
        JsonNode page = cluster.read(pods.path("old") + "?limit=1");
        long then = AnswerSummary.revision(page);
        String rest = pods.path("old") + "?limit=1&continue=" + AnswerSummary.continuation(page);
        assertThat(AnswerSummary.names(cluster.read(rest))).containsExactly("b");
        Awaitility.await()
                .until(() -> {
                    fillHistory();
                    return cluster.api().get(rest).status() == 410;
                });
        Answer expired = cluster.api().get(rest);
        assertThat(AnswerSummary.refusal(expired)).isEqualTo("410 Expired");
        String offered = AnswerSummary.continuation(expired.json());
        JsonNode next = cluster.read(pods.path("old") + "?limit=1&continue=" + offered);
        assertThat(AnswerSummary.names(next)).containsExactly("b");
        assertThat(AnswerSummary.revision(next)).isGreaterThan(then);
        String exact = "?resourceVersionMatch=Exact&resourceVersion=" + then;
        assertThat(AnswerSummary.refusal(cluster.api().get(pods.path("old") + exact)))
                .isEqualTo("410 Expired");
        try (ScenarioWatch watch = open("old", "resourceVersion=" + then)) {
            assertThat(watch.rest()).containsExactly("ERROR 410 Expired");
        }
    }

    private static void fillHistory() {
        List<Op> writes = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            writes.add(pods.op("fill", "pod-" + i));
        }
        cluster.etcd().client().txn(Txn.of(writes.toArray(Op[]::new)));
    }

    /** TestConsistentReadFallback: without etcd, "now" is refused in time and "any" is answered. */
    @Test
    @Order(3)
    void consistentReadsWithoutEtcdFailInTime() throws Exception {
        long written = pods.put("outage", "foo");
        assertThat(AnswerSummary.items(cluster.read(pods.path("outage"))))
                .containsExactly("foo@" + written);
        signal("STOP");
        try (ScenarioWatch watch = open("outage", "resourceVersion=0")) {
            assertThat(watch.next()).isEqualTo("ADDED foo@" + written);
            long start = System.nanoTime();
            Answer refused = cluster.api().get(pods.path("outage"));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(AnswerSummary.refusal(refused)).isEqualTo("504 Timeout");
            assertThat(refused.json().path("details").path("retryAfterSeconds").asInt())
                    .isPositive();
            assertThat(took).isGreaterThan(Duration.ofMillis(2_500));
            for (String old :
                    new String[] {
                        "?resourceVersion=0",
                        "?resourceVersion=" + written,
                        "?resourceVersionMatch=Exact&resourceVersion=" + written
                    }) {
                JsonNode list = cluster.read(pods.path("outage") + old);
                assertThat(AnswerSummary.items(list)).containsExactly("foo@" + written);
            }
            signal("CONT");
            long later = pods.put("outage", "foo");
            assertThat(watch.next()).isEqualTo("MODIFIED foo@" + later);
            assertThat(AnswerSummary.items(cluster.read(pods.path("outage"))))
                    .containsExactly("foo@" + later);
        } finally {
            signal("CONT");
        }
    }

    private static void signal(String name) throws Exception {
        String pid = Long.toString(cluster.etcd().pid());
        int done = new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
        assertThat(done).isZero();
    }

    /** TestCacherDontAcceptRequestsStopped: open watches end without an error. */
    @Test
    @Order(4)
    void drainEndsWatchesAndRefusesConnections() throws Exception {
        long written = pods.put("stop", "foo");
        try (ScenarioWatch watch = open("stop", "resourceVersion=" + (written - 1))) {
            assertThat(watch.next()).isEqualTo("ADDED foo@" + written);
            int _ = cluster.tidemark().stop();
            assertThat(watch.rest()).isEmpty();
        }
        assertThatThrownBy(() -> cluster.api().get(pods.path("stop")))
                .isInstanceOf(IOException.class);
    }

    private static ScenarioWatch open(String namespace, String parameters) throws Exception {
        return ScenarioWatch.open(cluster.api(), pods.path(namespace), parameters);
    }
}
