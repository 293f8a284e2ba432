package io.tidemark.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.harness.Api;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * store_tests.go, RunTestList: the matrix of resourceVersion, resourceVersionMatch, limit and
 * continue. The writes: first/bar (w1), second/bar (w2), second/baz (w3), second/foo (w4),
 * third/barfoo (w5), third/foo (w6), first/bar again (w7), second/baz deleted (w8). The cases, in
 * {@code scenarios/run-test-list.csv}, see {@link ListCases}, use a resource of which there are no
 * other objects.
 */
@ExtendWith(SharedCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreTestsListIT {
    private final ScenarioCluster cluster;
    private final ScenarioObjects objects;
    private final String space = ScenarioCluster.space() + "-";
    private final ListCases cases;

    StoreTestsListIT(ScenarioCluster cluster) {
        this.cluster = cluster;
        this.objects = new ScenarioObjects(cluster, "LimitRange", "limitranges");
        this.cases = new ListCases(objects, space);
    }

    @BeforeAll
    void write() throws Exception {
        cases.name("old", cluster.tooOld());
        cases.name("w0", cluster.elsewhere());
        String[] writes = {
            "first/bar",
            "second/bar",
            "second/baz",
            "second/foo",
            "third/barfoo",
            "third/foo",
            "first/bar"
        };
        for (int i = 0; i < writes.length; i++) {
            String[] parts = writes[i].split("/");
            cases.name("w" + (i + 1), objects.put(space + parts[0], parts[1]));
        }
        cases.name("w8", objects.delete(space + "second", "baz"));
        long after = cluster.elsewhere();
        cases.name("future", after + 100_000);
        // From here on, reads that allow any state return at least this one.
        assertThat(Long.parseLong(Api.resourceVersion(cluster.read(objects.path("")))))
                .isGreaterThanOrEqualTo(after);
    }

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(
            resources = "/scenarios/run-test-list.csv",
            delimiter = '|',
            quoteCharacter = '`',
            emptyValue = "",
            nullValues = "NULL")
    @Execution(ExecutionMode.CONCURRENT)
    void list(String scenario, String namespace, String query, String expected) throws Exception {
        String asked =
                cases.ask(
                        namespace == null ? "" : namespace,
                        query == null ? "" : query,
                        expected.startsWith("504"));
        assertThat(asked).as(scenario).isEqualTo(expected);
    }
}
