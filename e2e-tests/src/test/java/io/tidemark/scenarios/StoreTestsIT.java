package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.harness.Api.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * store_tests.go: the answers to GET and LIST. Omitted: scenarios of writes (create, delete,
 * guaranteed update), because Tidemark is read-only; of transformers and of Go's interfaces, which
 * no client sees.
 */
@ExtendWith(SharedCluster.class)
class StoreTestsIT {
    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    StoreTestsIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** RunTestGet. */
    @Scenario
    void get() throws Exception {
        String ns = ScenarioCluster.space();
        long created = pods.put(ns, "foo");
        long updated = pods.put(ns, "foo");
        long global = cluster.elsewhere();
        String path = pods.path(ns, "foo");
        for (String revision : new String[] {"", "" + updated, "" + global}) {
            assertThat(found(path + "?resourceVersion=" + revision)).isEqualTo(updated);
        }
        assertThat(found(path + "?resourceVersion=" + created)).isIn(created, updated);
        assertThat(found(path + "?resourceVersion=0")).isIn(created, updated);
        Answer future = cluster.api().get(path + "?resourceVersion=" + Long.MAX_VALUE);
        assertThat(AnswerSummary.refusal(future)).isEqualTo("504 Timeout");
        assertThat(AnswerSummary.refusal(get(pods.path(ns, "none")))).isEqualTo("404 NotFound");
        assertThat(get(pods.path(ns, "none")).json().path("message").asText())
                .isEqualTo("pods \"none\" not found");
    }

    /** RunTestCreateWithTTL, as far as readers see it: the end of a lease deletes the object. */
    @Scenario
    void createWithTtl() throws Exception {
        String ns = ScenarioCluster.space();
        var client = cluster.etcd().client();
        long lease = client.grantLease(Duration.ofSeconds(60)).id();
        Op.Put op = pods.op(ns, "foo");
        long created = client.put(op.key(), op.value(), lease);
        assertThat(found(pods.path(ns, "foo"))).isEqualTo(created);
        try (ScenarioWatch watch =
                ScenarioWatch.open(cluster.api(), pods.path(ns), "resourceVersion=" + created)) {
            client.revokeLease(lease);
            assertThat(watch.next()).startsWith("DELETED foo@");
        }
        assertThat(get(pods.path(ns, "foo")).status()).isEqualTo(404);
    }

    /** RunTestConsistentList. */
    @Scenario
    void consistentList() throws Exception {
        String ns = ScenarioCluster.space();
        pods.put(ns, "a");
        pods.put(ns, "b");
        JsonNode page = list(pods.path(ns) + "?limit=1");
        long before = cluster.elsewhere();
        JsonNode any = list(pods.path(ns) + "?resourceVersion=0");
        assertThat(AnswerSummary.revision(any)).isLessThanOrEqualTo(cluster.revision());
        long consistent = AnswerSummary.revision(list(pods.path(ns)));
        assertThat(consistent).isBetween(before, cluster.revision());
        String fresh = "?continue=" + Tokens.of(-1, "b");
        assertThat(AnswerSummary.revision(list(pods.path(ns) + fresh)))
                .isBetween(before, cluster.revision());
        assertThat(AnswerSummary.revision(list(pods.path(ns) + "?resourceVersion=0")))
                .isGreaterThanOrEqualTo(consistent);
        String token = AnswerSummary.continuation(page);
        JsonNode rest = list(pods.path(ns) + "?continue=" + token);
        assertThat(AnswerSummary.revision(rest)).isEqualTo(AnswerSummary.revision(page));
    }

    /** RunTestGetListNonRecursive. */
    @Scenario
    void getListNonRecursive() throws Exception {
        String ns = ScenarioCluster.space();
        long first = pods.put(ns, "foo");
        long current = pods.put(ns, "foo");
        String one = pods.path(ns) + "?fieldSelector=metadata.name%3Dfoo";
        String latest = "foo@" + current;
        for (String options :
                new String[] {
                    "",
                    "&resourceVersion=" + current,
                    "&resourceVersion=" + first,
                    "&resourceVersionMatch=NotOlderThan&resourceVersion=" + first,
                    "&resourceVersionMatch=NotOlderThan&resourceVersion=" + current,
                    "&resourceVersionMatch=Exact&resourceVersion=" + current,
                    "&limit=1&resourceVersion=" + current
                }) {
            assertThat(AnswerSummary.items(list(one + options)))
                    .as(options)
                    .containsExactly(latest);
        }
        JsonNode old = list(one + "&resourceVersionMatch=Exact&resourceVersion=" + first);
        assertThat(AnswerSummary.items(old)).containsExactly("foo@" + first);
        assertThat(AnswerSummary.revision(old)).isEqualTo(first);
        assertThat(AnswerSummary.refusal(get(one + "&resourceVersion=" + Long.MAX_VALUE)))
                .isEqualTo("504 Timeout");
        String none = pods.path(ns) + "?fieldSelector=metadata.name%3Dnone";
        assertThat(AnswerSummary.items(list(none))).isEmpty();
        assertThat(AnswerSummary.items(list(one + "&labelSelector=app%3Dx"))).isEmpty();
        assertThat(AnswerSummary.items(list(one + ",metadata.name!%3Dfoo"))).isEmpty();
    }

    /** RunTestGetListRecursivePrefix. */
    @Scenario
    void getListRecursivePrefix() throws Exception {
        String ns = ScenarioCluster.space();
        String longer = ns + "2";
        long foo = pods.put(ns, "foo");
        long fooBar = pods.put(ns, "foo-bar");
        long other = pods.put(longer, "foo");
        for (String options :
                new String[] {
                    "",
                    "resourceVersionMatch=Exact&resourceVersion=" + other,
                    "resourceVersionMatch=NotOlderThan&resourceVersion=" + other
                }) {
            assertThat(AnswerSummary.items(list(pods.path(ns) + "?" + options)))
                    .containsExactly("foo@" + foo, "foo-bar@" + fooBar);
            assertThat(AnswerSummary.items(list(pods.path(longer) + "?" + options)))
                    .containsExactly("foo@" + other);
            String name = "?fieldSelector=metadata.name%3Dfoo&" + options;
            assertThat(AnswerSummary.items(list(pods.path(ns) + name)))
                    .containsExactly("foo@" + foo);
        }
    }

    /** RunTestListResourceVersionMatch. */
    @Scenario
    void listResourceVersionMatch() throws Exception {
        String ns = ScenarioCluster.space();
        for (int i = 0; i < 10; i++) {
            pods.put(ns, "pod-" + i, Map.of("even", i % 2 == 0 ? "true" : "false"));
        }
        String even = pods.path(ns) + "?labelSelector=even%3Dtrue";
        JsonNode all = list(even);
        assertThat(AnswerSummary.names(all))
                .containsExactly("pod-0", "pod-2", "pod-4", "pod-6", "pod-8");
        long at = AnswerSummary.revision(all);
        pods.put(ns, "pod-x", Map.of("even", "true"));
        JsonNode exact = list(even + "&resourceVersionMatch=Exact&resourceVersion=" + at);
        assertThat(AnswerSummary.items(exact)).isEqualTo(AnswerSummary.items(all));
        assertThat(AnswerSummary.revision(exact)).isEqualTo(at);
        JsonNode later = list(even + "&resourceVersionMatch=NotOlderThan&resourceVersion=" + at);
        assertThat(AnswerSummary.revision(later)).isGreaterThanOrEqualTo(at);
    }

    /** RunTestNamespaceScopedList. */
    @Scenario
    void namespaceScopedList() throws Exception {
        String ns = ScenarioCluster.space();
        String other = ns + "-other";
        for (String at : List.of(ns, other)) {
            pods.put(at, "foo", Map.of("scenario", ns), "node1");
            pods.put(at, "bar", Map.of("scenario", ns), "node2");
        }
        String all = pods.path("") + "?labelSelector=scenario%3D" + ns + "&fieldSelector=";
        String one = pods.path(ns) + "?fieldSelector=";
        String here = "metadata.namespace%3D" + ns;
        String there = "metadata.namespace%3D" + other;
        Map<String, List<String>> cases =
                Map.ofEntries(
                        Map.entry(all, List.of("bar", "foo", "bar", "foo")),
                        Map.entry(all + here, List.of("bar", "foo")),
                        Map.entry(all + "metadata.namespace!%3D" + ns, List.of("bar", "foo")),
                        Map.entry(all + here + "," + there, List.of()),
                        Map.entry(all + "spec.nodeName%3Dnode1", List.of("foo", "foo")),
                        Map.entry(all + here + ",spec.nodeName%3Dnode1", List.of("foo")),
                        Map.entry(all + here + ",spec.nodeName!%3Dnode1", List.of("bar")),
                        Map.entry(all + "metadata.name%3Dfoo", List.of("foo", "foo")),
                        Map.entry(all + here + ",metadata.name%3Dfoo", List.of("foo")),
                        Map.entry(all + "metadata.name!%3Dfoo", List.of("bar", "bar")),
                        Map.entry(one, List.of("bar", "foo")),
                        Map.entry(one + here, List.of("bar", "foo")),
                        Map.entry(one + there, List.of()),
                        Map.entry(one + "spec.nodeName%3Dnode2", List.of("bar")),
                        Map.entry(one + "spec.nodeName!%3Dnode2", List.of("foo")),
                        Map.entry(one + "metadata.name%3Dbar", List.of("bar")),
                        Map.entry(one + "metadata.name%3Dbar,spec.nodeName%3Dnode1", List.of()));
        for (Map.Entry<String, List<String>> each : cases.entrySet()) {
            assertThat(AnswerSummary.names(list(each.getKey())))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    private long found(String path) throws Exception {
        return AnswerSummary.revision(list(path));
    }

    private Answer get(String path) throws Exception {
        return cluster.api().getInTime(path);
    }

    private JsonNode list(String path) throws Exception {
        return cluster.read(path);
    }
}
