package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.Bench;
import io.tidemark.bench.content.Pods;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.load.Workloads;
import io.tidemark.bench.report.Comparison;
import io.tidemark.bench.report.ResultFile;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A short {@code tidemark bench}, whose CPU times by the machine's speed are compared with a
 * recorded result. The comparison is printed, and is in {@code target/bench-ratios}; no time is an
 * assertion. docs/performance.md says how to record a result.
 */
class BenchRatiosIT {
    private static final Path RECORDED = Path.of("src", "test", "resources", "bench");
    private static final Path OUT = Path.of("target", "bench-ratios");

    private static final Set<String> WORKLOADS =
            Set.of(
                    "list",
                    "gzip",
                    "page",
                    "metadata",
                    "table",
                    "label",
                    "node",
                    "get",
                    "get-cached",
                    "rest",
                    "watch",
                    "fan-out",
                    "filtered",
                    "ingest");

    private static final Pods PODS = new Pods("/registry/", 1_000, 10, 50);
    private static final Workloads.Amounts AMOUNTS =
            new Workloads.Amounts(Duration.ofSeconds(3), 100, 200, 3_000);
    private static final int ROUNDS = 3;

    @TempDir private Path folder;

    @Test
    @EnabledIfSystemProperty(
            named = "tidemark.nightly",
            matches = "true",
            disabledReason =
                    "a short bench beside a recorded one: mvn verify -Pnightly, or"
                            + " -Dtidemark.nightly=true; BenchIT runs every workload")
    void comparesCpuTimesWithARecordedResult() throws Exception {
        ResultFile result = measured();
        Bench.write(result, OUT);
        ResultFile recorded = ResultFile.read(RECORDED.resolve("results.json"));
        String comparison = Comparison.of(recorded, result);
        Files.writeString(OUT.resolve("comparison.md"), comparison);
        System.out.println("bench, the result of " + recorded.began() + " → this one:");
        System.out.println(comparison);

        assertThat(result.measurements())
                .allSatisfy(each -> assertThat(each.failures()).isZero())
                .allSatisfy(each -> assertThat(each.units()).isPositive());
        assertThat(result.workloads()).hasSize(WORKLOADS.size() + 1).containsKey("send");
        assertThat(result.workloads().values())
                .as("workloads that the recorded result has, too")
                .allSatisfy(title -> assertThat(comparison).contains("| " + title + " |"));
        assertThat(comparison).contains("CPU, by the machine's speed");
    }

    private ResultFile measured() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                EtcdClient client = etcd.client();
                TidemarkProcess node =
                        TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            List<Workload> workloads =
                    Workloads.of(PODS, client, AMOUNTS).stream()
                            .filter(each -> WORKLOADS.contains(each.name()))
                            .toList();
            Bench.fill(PODS, client, _ -> {});
            Bench bench = new Bench(List.of(BenchIT.target(node)), workloads, System.out::println);
            // The JIT compiler works in the first round, which says nothing about the program.
            ResultFile _ = bench.run(1, Map.of());
            int cores = Runtime.getRuntime().availableProcessors();
            return bench.run(ROUNDS, Map.of("cores", Integer.toString(cores)));
        }
    }
}
