package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * watcher_tests.go: the answers to a WATCH. Omitted: RunTestWatchInitializationSignal, which is for
 * the API server's own flow control; RunTestWatchWithUnsafeDelete and the transformer's errors: a
 * value that cannot be decoded leaves the watch as DELETED here, see
 * docs/decisions/0001-mirror-every-key.md.
 */
@ExtendWith(SharedCluster.class)
class WatcherTestsIT {
    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    WatcherTestsIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** RunTestWatch, of a prefix. */
    @Scenario
    void watchPrefix() throws Exception {
        followsTheSelector("");
    }

    /** RunTestWatch, of a single key. */
    @Scenario
    void watchSingleKey() throws Exception {
        followsTheSelector("&fieldSelector=metadata.name%3Dfoo");
    }

    private void followsTheSelector(String selector) throws Exception {
        String ns = ScenarioCluster.space();
        String from = "resourceVersion=" + cluster.elsewhere();
        try (ScenarioWatch all = open(ns, from + selector);
                ScenarioWatch web = open(ns, from + "&labelSelector=app%3Dweb" + selector)) {
            pods.put(ns + "-bad", "foo", Map.of("app", "web"));
            long a = pods.put(ns, "foo");
            long b = pods.put(ns, "foo", Map.of("app", "web"));
            long c = pods.put(ns, "foo", Map.of("app", "web", "x", "y"));
            long d = pods.put(ns, "foo");
            long e = pods.put(ns, "foo");
            long f = pods.put(ns, "foo", Map.of("app", "web"));
            long g = pods.delete(ns, "foo");
            assertThat(all.next(7))
                    .containsExactly(
                            "ADDED foo@" + a,
                            "MODIFIED foo@" + b,
                            "MODIFIED foo@" + c,
                            "MODIFIED foo@" + d,
                            "MODIFIED foo@" + e,
                            "MODIFIED foo@" + f,
                            "DELETED foo@" + g);
            assertThat(web.next(2)).containsExactly("ADDED foo@" + b, "MODIFIED foo@" + c);
            JsonNode left = web.nextJson();
            assertThat(AnswerSummary.event(left)).isEqualTo("DELETED foo@" + d);
            // With the state that last matched.
            assertThat(left.path("object").path("metadata").path("labels").path("x").asText())
                    .isEqualTo("y");
            assertThat(web.next(2)).containsExactly("ADDED foo@" + f, "DELETED foo@" + g);
        }
    }

    /** RunTestWatchFromZero. */
    @Scenario
    void watchFromZero() throws Exception {
        String ns = ScenarioCluster.space();
        long first = pods.put(ns, "foo");
        settled(ns);
        try (ScenarioWatch watch = open(ns, "resourceVersion=0")) {
            assertThat(watch.next()).isEqualTo("ADDED foo@" + first);
            long second = pods.put(ns, "foo");
            assertThat(watch.next()).isEqualTo("MODIFIED foo@" + second);
        }
        long third = pods.put(ns, "foo");
        settled(ns);
        cluster.etcd().client().compact(third, false);
        try (ScenarioWatch watch = open(ns, "resourceVersion=0")) {
            assertThat(watch.next()).isEqualTo("ADDED foo@" + third);
        }
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + cluster.tooOld())) {
            JsonNode error = watch.nextJson();
            assertThat(AnswerSummary.event(error)).isEqualTo("ERROR 410 Expired");
            assertThat(error.path("object").path("message").asText())
                    .startsWith("too old resource version: " + cluster.tooOld() + " (");
            assertThat(watch.rest()).isEmpty();
        }
    }

    /** RunTestWatchFromNonZero. */
    @Scenario
    void watchFromNonZero() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + created)) {
            long updated = pods.put(ns, "foo");
            assertThat(watch.next()).isEqualTo("MODIFIED foo@" + updated);
        }
    }

    /** RunTestDeleteTriggerWatch, RunTestWatchDeleteEventObjectHaveLatestRV. */
    @Scenario
    void deleteEventObjectHasLatestResourceVersion() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo", Map.of("last", "state"));
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + created)) {
            long deleted = pods.delete(ns, "foo");
            JsonNode event = watch.nextJson();
            assertThat(AnswerSummary.event(event)).isEqualTo("DELETED foo@" + deleted);
            assertThat(deleted).isGreaterThan(created);
            assertThat(event.path("object").path("metadata").path("labels").path("last").asText())
                    .isEqualTo("state");
        }
    }

    /** RunTestDelayedWatchDelivery: here all of them arrive, however late they are read. */
    @Scenario
    void delayedWatchDelivery() throws Exception {
        String ns = ScenarioCluster.space();
        try (ScenarioWatch idle = open(ns, "resourceVersion=" + cluster.elsewhere())) {
            List<String> written = new ArrayList<>();
            for (int i = 0; i < 21; i++) {
                written.add("ADDED foo-" + i + "@" + pods.put(ns, "foo-" + i));
            }
            settled(ns);
            assertThat(idle.next(21)).isEqualTo(written);
        }
    }

    /** RunTestWatchError and related ones, adapted: an unreadable object leaves the watch. */
    @Scenario
    void watchError() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        try (ScenarioWatch watch = open(ns, "resourceVersion=" + created)) {
            long broken = cluster.etcd().client().put(pods.key(ns, "foo"), Bytes.utf8("{\"kind"));
            long whole = pods.put(ns, "foo");
            assertThat(watch.next(2))
                    .containsExactly("DELETED foo@" + broken, "ADDED foo@" + whole);
        }
    }

    /** RunTestWatcherTimeout: watchers that do not read do not delay one that does. */
    @Scenario
    void watcherTimeout() throws Exception {
        String ns = ScenarioCluster.space();
        String from = "resourceVersion=" + cluster.elsewhere();
        List<ScenarioWatch> silent = new ArrayList<>();
        try (ScenarioWatch reader = open(ns, from)) {
            for (int i = 0; i < 50; i++) {
                silent.add(open(ns, from));
            }
            for (int i = 0; i < 22; i++) {
                long at = pods.put(ns, "foo-" + i);
                assertThat(reader.next()).isEqualTo("ADDED foo-" + i + "@" + at);
            }
        } finally {
            for (ScenarioWatch stream : silent) {
                stream.close();
            }
        }
    }

    /** RunTestNamespaceScopedWatch. */
    @Scenario
    void namespaceScopedWatch() throws Exception {
        String ns = ScenarioCluster.space();
        String other = ns + "-other";
        String from = "resourceVersion=" + cluster.elsewhere() + "&fieldSelector=";
        String mine = "metadata.namespace%3D" + ns;
        String node = "spec.nodeName%3Dnode-" + ns;
        String scenario = "&labelSelector=scenario%3D" + ns;
        String foo = "metadata.name%3Dfoo";
        try (ScenarioWatch here = open(ns, from);
                ScenarioWatch byNamespace = open("", from + mine);
                ScenarioWatch byName = open(ns, from + foo);
                ScenarioWatch named = open("", from + foo + scenario);
                ScenarioWatch byNode = open("", from + node);
                ScenarioWatch byBoth = open(ns, from + node + ",metadata.name!%3Dfoo");
                ScenarioWatch never =
                        open(ns, from + "metadata.namespace%3D" + other + "&timeoutSeconds=3")) {
            Map<String, String> label = Map.of("scenario", ns);
            long a = pods.put(ns, "foo", label, "node-" + ns);
            long b = pods.put(other, "foo", label, "node-x");
            long c = pods.put(ns, "bar", label, "node-" + ns);
            long d = pods.put(ns, "bar", label, "node-x");
            List<String> inNamespace =
                    List.of("ADDED foo@" + a, "ADDED bar@" + c, "MODIFIED bar@" + d);
            List<String> onNode = List.of("ADDED foo@" + a, "ADDED bar@" + c, "DELETED bar@" + d);
            assertThat(here.next(3)).isEqualTo(inNamespace);
            assertThat(byNamespace.next(3)).isEqualTo(inNamespace);
            assertThat(byName.next()).isEqualTo("ADDED foo@" + a);
            assertThat(named.next(2)).containsExactly("ADDED foo@" + a, "ADDED foo@" + b);
            assertThat(byNode.next(3)).isEqualTo(onNode);
            assertThat(byBoth.next(2)).isEqualTo(onNode.subList(1, 3));
            assertThat(never.rest()).isEmpty();
        }
    }

    /** RunTestClusterScopedWatch. */
    @Scenario
    void clusterScopedWatch() throws Exception {
        ScenarioObjects nodes = new ScenarioObjects(cluster, "Node", "nodes");
        String name = "node-" + ScenarioCluster.space();
        String from = "resourceVersion=" + cluster.elsewhere();
        String selector = "&fieldSelector=metadata.name%3D" + name;
        var client = cluster.etcd().client();
        var key = Bytes.utf8("/registry/minions/" + name);
        try (ScenarioWatch watch =
                        ScenarioWatch.open(cluster.api(), nodes.path(""), from + selector);
                ScenarioWatch other =
                        ScenarioWatch.open(
                                cluster.api(),
                                nodes.path(""),
                                from + selector + "-not&timeoutSeconds=2")) {
            String value =
                    "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"%s\"}}";
            long created = client.put(key, Bytes.utf8(value.formatted(name)));
            assertThat(client.delete(key)).isTrue();
            assertThat(watch.next()).isEqualTo("ADDED " + name + "@" + created);
            assertThat(watch.next()).startsWith("DELETED " + name + "@");
            assertThat(other.rest()).isEmpty();
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
