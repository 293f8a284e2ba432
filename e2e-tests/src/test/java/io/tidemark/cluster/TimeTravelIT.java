package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.harness.Api;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkJvm;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.waits.LongTest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client commands against the whole program and a real etcd. */
@LongTest
class TimeTravelIT {
    private static final String ONE = "/api/v1/namespaces/ns/configmaps/one";

    @TempDir private Path folder;
    private int commands;

    private record CommandResult(int code, String out) {}

    @Test
    void showsPastStatesAfterChanges() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("outside"));
                TidemarkProcess tidemark =
                        TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            Api api = tidemark.api();
            long first = etcd.putConfigMap("ns", "one", "before");
            etcd.putConfigMap("ns", "gone", "x");
            Instant between = settled(api, "gone");
            long second = etcd.putConfigMap("ns", "one", "after");
            etcd.client().delete(TestEtcd.configMapKey("ns", "gone"));
            etcd.putConfigMap("ns", "new", "x");

            CommandResult watch =
                    whileRunning(
                            List.of(
                                    "watch",
                                    "cm",
                                    "one",
                                    "-n",
                                    "ns",
                                    "-o",
                                    "json",
                                    "--from",
                                    Long.toString(first)),
                            "\"after\"",
                            api);
            assertThat(watch.out().lines().count()).isEqualTo(1);

            assertThat(run(api, "get", "cm", "-n", "ns", "-o", "name").out())
                    .isEqualTo("configmaps/new\nconfigmaps/one\n");
            assertThat(run(api, "get", "cm", "-n", "ns", "--at", between.toString()).out())
                    .contains("gone ")
                    .doesNotContain("new ");
            assertThat(
                            run(
                                            api,
                                            "get",
                                            "cm/one",
                                            "-n",
                                            "ns",
                                            "-o",
                                            "yaml",
                                            "--at",
                                            between.toString())
                                    .out())
                    .contains("value: before");
            assertThat(run(api, "history", "cm/one", "-n", "ns").out().lines().toList().get(2))
                    .startsWith(Long.toString(second))
                    .endsWith("MODIFIED   data.value");

            CommandResult diff = run(api, "diff", "cm", "-n", "ns", "--from", between.toString());
            assertThat(diff.out().lines().skip(2))
                    .containsExactly(
                            "- configmaps ns/gone",
                            "+ configmaps ns/new",
                            "~ configmaps ns/one",
                            "    - data.value: \"before\"",
                            "    + data.value: \"after\"");
            assertThat(diff.code()).isEqualTo(1);
            assertThat(
                            run(api, "diff", "cm/one", "-n", "ns", "--from", Long.toString(second))
                                    .code())
                    .isZero();
            assertThat(run(api, "get", "cm/none", "-n", "ns").code()).isEqualTo(1);

            sameAfterARebuild(tidemark, etcd, between);
        }
    }

    /**
     * The time samples are in the topic: a node that lost its state gives the same answer for the
     * same time.
     */
    private void sameAfterARebuild(TidemarkProcess tidemark, TestEtcd etcd, Instant between)
            throws Exception {
        String history =
                tidemark.api().getInTime(ONE + "?history=true").json().path("items").toString();
        String then = tidemark.api().get("/api/v1/configmaps?at=" + between).body();
        tidemark.stop();
        Files.move(folder.resolve("data/state"), folder.resolve("lost"));
        try (TidemarkProcess again = TidemarkProcess.up(folder.resolve("data"), etcd.endpoint())) {
            assertThat(again.api().get("/api/v1/configmaps?at=" + between).body()).isEqualTo(then);
            assertThat(again.api().getInTime(ONE + "?history=true").json().path("items"))
                    .hasToString(history);
        }
    }

    /** A time that shows an object's newest version and belongs to the past. */
    private static Instant settled(Api api, String name) throws Exception {
        JsonNode items =
                api.getInTime(
                                "/api/v1/namespaces/ns/configmaps/"
                                        + name
                                        + "?history=true&objects=false")
                        .json()
                        .path("items");
        Instant time = Instant.parse(items.path(items.size() - 1).path("time").asText());
        await().until(() -> Instant.now().isAfter(time));
        return time;
    }

    private CommandResult run(Api api, String... arguments) throws Exception {
        Path out = folder.resolve("out-" + commands++);
        Process process = start(api, out, List.of(arguments));
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        return new CommandResult(process.exitValue(), Files.readString(out));
    }

    /** Runs an endless command until it has printed something. */
    private CommandResult whileRunning(List<String> arguments, String until, Api api)
            throws Exception {
        Path out = folder.resolve("out-" + commands++);
        Process process = start(api, out, arguments);
        try {
            await().until(() -> Files.readString(out, StandardCharsets.UTF_8).contains(until));
        } finally {
            process.destroy();
            process.waitFor();
        }
        return new CommandResult(process.exitValue(), Files.readString(out));
    }

    private static Process start(Api api, Path out, List<String> arguments) throws Exception {
        List<String> command =
                TidemarkJvm.tidemark(
                        List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(Security.ofRun().environment(arguments));
        builder.environment().put("TIDEMARK_SERVER", api.url());
        return builder.redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
