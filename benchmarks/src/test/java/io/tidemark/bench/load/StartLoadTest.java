package io.tidemark.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.Bench;
import io.tidemark.bench.http.Target;
import io.tidemark.bench.report.ResultFile;
import io.tidemark.bench.start.SmallServer;
import io.tidemark.bench.start.StartCommand;
import io.tidemark.bench.start.StartedServers;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartLoadTest {
    @TempDir private Path folder;

    private static Target target(String name, URI base) throws Exception {
        return new Target(name, base, null, SSLContext.getDefault(), false, 0);
    }

    @Test
    void eachStartIsFollowedByAListAndLeftOutWithoutItsFolder() throws Exception {
        URI first = SmallServer.freeAddress();
        URI second = SmallServer.freeAddress();
        StartCommand all = SmallServer.command(SmallServer.Kind.USUAL, first, folder.resolve("a"));
        StartCommand keeps =
                new StartCommand(
                        SmallServer.command(SmallServer.Kind.USUAL, second, folder.resolve("b"))
                                .line(),
                        null,
                        null);
        List<Target> targets = List.of(target("a", first), target("b", second));
        ResultFile result;
        try (StartedServers servers =
                StartedServers.begin(targets, Map.of("a", all, "b", keeps), folder)) {
            List<Workload> workloads = Workloads.ofStarts(servers);
            result = new Bench(targets, workloads, _ -> {}).run(1, Map.of());
            assertThat(result.workloads().keySet())
                    .containsExactly(
                            "send",
                            "first-start",
                            "first-start-list",
                            "restart",
                            "restart-list",
                            "rebuild",
                            "rebuild-list");
            assertThat(result.hasFailures()).isFalse();
            assertThat(Files.readString(folder.resolve("a/kept/starts"))).isEqualTo("3");
            assertThat(Files.readString(folder.resolve("a/state/starts"))).isEqualTo("1");
            servers.removeData();
        }
        assertThat(result.measurements())
                .extracting(each -> each.target() + " " + each.workload())
                .containsExactlyInAnyOrder(
                        "machine send",
                        "a first-start",
                        "a first-start-list",
                        "a restart",
                        "a restart-list",
                        "b restart",
                        "b restart-list",
                        "a rebuild",
                        "a rebuild-list");
        assertThat(result.measurements())
                .filteredOn(each -> !each.target().equals("machine"))
                .allMatch(each -> each.units() == 1);
        assertThat(result.measurements())
                .filteredOn(each -> each.unit().equals("start"))
                .allMatch(each -> each.latency().p50() > 100_000)
                .allMatch(each -> each.serverCpuMillis() > 0)
                .allMatch(each -> each.serverMemoryBytes() > 0);
        assertThat(folder.resolve("a")).isEmptyDirectory();
        // A first start that is not measured, since a restart needs data.
        assertThat(Files.readString(folder.resolve("b/kept/starts"))).isEqualTo("2");
    }

    @Test
    void aFailedStartHasNoListAndNamesTheLog() throws Exception {
        URI base = SmallServer.freeAddress();
        StartCommand command =
                SmallServer.command(SmallServer.Kind.ENDS, base, folder.resolve("a"));
        List<Target> targets = List.of(target("a", base));
        try (StartedServers servers = StartedServers.begin(targets, Map.of("a", command), folder)) {
            List<Workload> first = Workloads.ofStarts(servers).subList(0, 1);

            ResultFile result = new Bench(targets, first, _ -> {}).run(1, Map.of());

            assertThat(result.measurements())
                    .extracting(each -> each.workload())
                    .containsExactly("send", "first-start");
            assertThat(result.measurements().getLast().firstFailure())
                    .isEqualTo(
                            "ended with exit code 3 before it was ready; its output is in "
                                    + folder.resolve("a.log"));
        }
    }
}
