package io.tidemark.cluster;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.Bench;
import io.tidemark.bench.content.Pods;
import io.tidemark.bench.http.Target;
import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.SendReference;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.load.Workloads;
import io.tidemark.bench.report.ResultFile;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.local.Ports;
import io.tidemark.waits.LongTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tidemark bench} on a real node and etcd. */
@LongTest
class BenchIT {
    private static final int WATCHERS = 20;
    private static final int FILTERED_WATCHERS = 30;
    private static final int EVENTS = 100;

    @TempDir private Path folder;

    /** Nothing fails, nothing is missing; before that, without pods, writes fail. */
    @Test
    void measuresEveryWorkload() throws Exception {
        Pods pods = new Pods("/registry/", 200, 4, 10);
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"));
                EtcdClient client = etcd.client()) {
            try (TidemarkProcess node =
                    TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
                List<Workload> workloads =
                        Workloads.of(
                                pods,
                                client,
                                new Workloads.Amounts(
                                        Duration.ofSeconds(1),
                                        WATCHERS,
                                        FILTERED_WATCHERS,
                                        EVENTS));
                assertThatWritesCreateNoPods(workloads, node, etcd);
                Bench.fill(pods, client, _ -> {});
                ResultFile result =
                        new Bench(List.of(target(node)), workloads, _ -> {}).run(1, Map.of());
                for (Measurement each : result.measurements()) {
                    assertThat(each.failures()).as(() -> each.toString()).isZero();
                    assertThat(each.units()).as(() -> each.toString()).isPositive();
                }
                assertThat(result.measurements())
                        .filteredOn(each -> each.target().equals(SendReference.MACHINE))
                        .singleElement()
                        .satisfies(each -> assertThat(each.serverCpuMillis()).isPositive());
                assertThat(units(result, "fan-out")).isEqualTo(20L * WATCHERS);
                assertThat(units(result, "stalled")).isEqualTo(20L * WATCHERS);
                // Three watches select each node, and each write changes a pod of one.
                assertThat(units(result, "filtered")).isEqualTo(100L * 3);
                assertThat(units(result, "ingest")).isEqualTo(EVENTS);
                assertThat(units(result, "replay-50")).isEqualTo(50L * EVENTS);
                assertThat(result.measurements())
                        .filteredOn(each -> each.target().equals("tidemark"))
                        .allMatch(each -> each.serverMemoryBytes() > 0)
                        .anyMatch(each -> each.serverCpuMillis() > 0);
                Bench.write(result, folder.resolve("out"));
                assertThat(folder.resolve("out/results.html")).isNotEmptyFile();
                assertThat(ResultFile.read(folder.resolve("out/results.json"))).isEqualTo(result);
            }
        }
    }

    private static void assertThatWritesCreateNoPods(
            List<Workload> workloads, TidemarkProcess node, TestEtcd etcd) throws Exception {
        Workload ingest =
                workloads.stream()
                        .filter(each -> each.name().equals("ingest"))
                        .findFirst()
                        .orElseThrow();

        Workload.Outcome outcome = ingest.run(target(node));

        assertThat(outcome.failures()).isEqualTo(EVENTS);
        assertThat(outcome.firstFailure()).startsWith("etcd has no pod /registry/pods/bench-");
        assertThat(etcd.keys("/registry/pods/")).isEmpty();
    }

    @Test
    void refusesWritesWithoutThePodsOfFill() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            Bench.fill(new Pods("/registry/", 7, 2, 2), etcd.client(), _ -> {});
            List<String> arguments =
                    List.of(
                            "bench",
                            "--target=a=http://127.0.0.1:1",
                            "--pods=10",
                            "--namespaces=2",
                            "--nodes=2");
            Path errors = folder.resolve("errors");
            ProcessBuilder builder =
                    new ProcessBuilder(TidemarkJvm.tidemark(List.of(), arguments))
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(errors.toFile());
            builder.environment().put("TIDEMARK_ETCD", etcd.endpoint());

            Process bench = builder.start();

            assertThat(bench.waitFor()).isEqualTo(2);
            assertThat(errors).content().contains("etcd lacks 3 of the 10 pods", "--fill");
            assertThat(etcd.keys("/registry/pods/")).hasSize(7);
        }
    }

    @Test
    void measuresStartsAndEmptiesOnlyTheDataOfItsServer() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        URI base = URI.create("http://127.0.0.1:" + Ports.pickFree("127.0.0.1"));
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            List<String> up =
                    TidemarkJvm.tidemark(
                            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                            List.of(
                                    "up",
                                    "--etcd=" + etcd.endpoint(),
                                    "--data=" + data,
                                    "--listen=" + base.getAuthority()));
            String quoted = up.stream().map(each -> "'" + each + "'").collect(joining(" "));
            List<String> arguments =
                    List.of(
                            "bench",
                            "--etcd=" + etcd.endpoint(),
                            "--fill",
                            "--pods=200",
                            "--rounds=1",
                            "--target=tidemark=" + base,
                            "--start=tidemark=" + quoted,
                            "--start-data=tidemark=" + data,
                            "--start-state=tidemark=" + data.resolve("state"),
                            "--out=" + folder.resolve("out"));
            Path mine = Files.writeString(data.resolve("mine"), "mine");
            assertThat(bench(arguments)).isEqualTo(2);
            assertThat(folder.resolve("errors")).content().contains("is not an empty folder");
            assertThat(mine).exists();
            assertThat(etcd.keys("/registry/pods/")).isEmpty();
            Files.delete(mine);

            assertThat(bench(arguments)).as(this::output).isZero();

            ResultFile result = ResultFile.read(folder.resolve("out/results.json"));
            assertThat(result.measurements())
                    .extracting(Measurement::workload)
                    .containsExactly(
                            SendReference.WORKLOAD,
                            "first-start",
                            "first-start-list",
                            "restart",
                            "restart-list",
                            "rebuild",
                            "rebuild-list");
            for (Measurement each :
                    result.measurements().subList(1, result.measurements().size())) {
                assertThat(each.units()).as(() -> each.toString()).isOne();
                assertThat(each.latency().p50()).as(() -> each.toString()).isPositive();
                assertThat(each.serverMemoryBytes()).as(() -> each.toString()).isPositive();
                if (each.unit().equals("request")) {
                    assertThat(each.bytes()).as(() -> each.toString()).isGreaterThan(200 * 8_000L);
                }
            }
            assertThat(data).isEmptyDirectory();
        }
    }

    /** Returns the exit code. */
    private int bench(List<String> arguments) throws Exception {
        return new ProcessBuilder(TidemarkJvm.tidemark(List.of(), arguments))
                .redirectOutput(folder.resolve("output").toFile())
                .redirectError(folder.resolve("errors").toFile())
                .start()
                .waitFor();
    }

    private String output() {
        try {
            return Files.readString(folder.resolve("output"))
                    + Files.readString(folder.resolve("errors"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A node on this machine, without TLS. */
    static Target target(TidemarkProcess node) throws Exception {
        return new Target(
                "tidemark",
                URI.create("http://127.0.0.1:" + node.address().getPort()),
                null,
                SSLContext.getDefault(),
                false,
                node.pid());
    }

    private static long units(ResultFile result, String workload) {
        return result.measurements().stream()
                .filter(each -> each.workload().equals(workload))
                .mapToLong(Measurement::units)
                .sum();
    }
}
