package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.etcd.Op;
import io.tidemark.etcd.Txn;
import io.tidemark.harness.Api.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtendWith;

/** store_tests.go: lists in pages. */
@ExtendWith(SharedCluster.class)
class StoreTestsPagingIT {
    private final ScenarioCluster cluster;
    private final ScenarioObjects pods;

    StoreTestsPagingIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.pods = ScenarioObjects.pods(cluster);
    }

    /** RunTestListContinuation. */
    @Scenario
    void listContinuation() throws Exception {
        String ns = ScenarioCluster.space();
        for (String name : List.of("bar", "baz", "foo")) {
            pods.put(ns, name);
        }
        JsonNode first = list(pods.path(ns) + "?limit=1");
        assertThat(AnswerSummary.names(first)).containsExactly("bar");
        String rest = pods.path(ns) + "?continue=" + AnswerSummary.continuation(first);
        assertThat(AnswerSummary.names(list(rest))).containsExactly("baz", "foo");
        assertThat(AnswerSummary.revision(list(rest))).isEqualTo(AnswerSummary.revision(first));
        JsonNode second = list(rest + "&limit=1");
        assertThat(AnswerSummary.names(second)).containsExactly("baz");
        JsonNode third =
                list(pods.path(ns) + "?limit=1&continue=" + AnswerSummary.continuation(second));
        assertThat(AnswerSummary.names(third)).containsExactly("foo");
        assertThat(AnswerSummary.continuation(third)).isEmpty();
        assertThat(AnswerSummary.revision(third)).isEqualTo(AnswerSummary.revision(first));
    }

    /** RunTestListPaginationRareObject. */
    @Scenario
    void listPaginationRareObject() throws Exception {
        String ns = ScenarioCluster.space();
        putMany(ns, 1000);
        JsonNode page = list(pods.path(ns) + "?limit=1&fieldSelector=metadata.name%3Dpod-999");
        assertThat(AnswerSummary.names(page)).containsExactly("pod-999");
        assertThat(AnswerSummary.continuation(page)).isEmpty();
    }

    /** RunTestListPaging. */
    @Scenario
    void listPaging() throws Exception {
        String ns = ScenarioCluster.space();
        putMany(ns, 250);
        List<String> names = new ArrayList<>();
        Set<Long> revisions = new TreeSet<>();
        String continuation = "";
        do {
            JsonNode page = list(pods.path(ns) + "?limit=37&continue=" + continuation);
            names.addAll(AnswerSummary.names(page));
            revisions.add(AnswerSummary.revision(page));
            continuation = AnswerSummary.continuation(page);
            pods.put(ns, "pod-999"); // Comes too late for this list.
        } while (!continuation.isEmpty());
        assertThat(names).hasSize(250).doesNotHaveDuplicates().isSorted();
        assertThat(revisions).hasSize(1);
    }

    /** RunTestListContinuationWithFilter. */
    @Scenario
    void listContinuationWithFilter() throws Exception {
        String ns = ScenarioCluster.space();
        pods.put(ns, "1", Map.of("name", "foo"));
        pods.put(ns, "2", Map.of("name", "bar"));
        pods.put(ns, "3", Map.of("name", "foo"));
        pods.put(ns, "4", Map.of("name", "foo"));
        String query = pods.path(ns) + "?limit=2&labelSelector=name!%3Dbar";
        JsonNode first = list(query);
        assertThat(AnswerSummary.names(first)).containsExactly("1", "3");
        assertThat(first.path("metadata").has("remainingItemCount")).isFalse();
        JsonNode second = list(query + "&continue=" + AnswerSummary.continuation(first));
        assertThat(AnswerSummary.names(second)).containsExactly("4");
        assertThat(AnswerSummary.continuation(second)).isEmpty();
    }

    /** RunTestListInconsistentContinuation: the answer to a token below the floor. */
    @Scenario
    void listInconsistentContinuation() throws Exception {
        String ns = ScenarioCluster.space();
        for (String name : List.of("a", "b", "c")) {
            pods.put(ns, name);
        }
        Answer expired =
                get(pods.path(ns) + "?limit=1&continue=" + Tokens.of(cluster.tooOld(), "b"));
        assertThat(AnswerSummary.refusal(expired)).isEqualTo("410 Expired");
        assertThat(expired.json().path("message").asText())
                .startsWith("The provided continue parameter is too old ");
        String offered = AnswerSummary.continuation(expired.json());
        assertThat(offered).isNotEmpty();
        long now = cluster.elsewhere();
        JsonNode page = list(pods.path(ns) + "?limit=1&continue=" + offered);
        assertThat(AnswerSummary.names(page)).containsExactly("b");
        assertThat(AnswerSummary.revision(page)).isGreaterThanOrEqualTo(now);
        JsonNode last =
                list(pods.path(ns) + "?limit=1&continue=" + AnswerSummary.continuation(page));
        assertThat(AnswerSummary.names(last)).containsExactly("c");
        assertThat(AnswerSummary.revision(last)).isEqualTo(AnswerSummary.revision(page));
    }

    private void putMany(String namespace, int count) {
        for (int from = 0; from < count; from += 100) {
            List<Op> writes = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + 100); i++) {
                writes.add(pods.op(namespace, "pod-%03d".formatted(i)));
            }
            cluster.etcd().client().txn(Txn.of(writes.toArray(Op[]::new)));
        }
    }

    private Answer get(String path) throws Exception {
        return cluster.api().get(path);
    }

    private JsonNode list(String path) throws Exception {
        return cluster.read(path);
    }
}
