package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.content.Pods;
import io.tidemark.bench.load.Workload;
import io.tidemark.bench.load.Workloads;
import io.tidemark.bench.load.Workloads.Amounts;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@Isolated("picocli writes to a System.err that is replaced, whatever its commands were told")
class HelpTest {
    static Stream<String> commands() {
        return Stream.concat(
                Stream.of(""), TidemarkCli.commandLine().getSubcommands().keySet().stream());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpIsFormattedWithoutAWarning(String command) {
        CommandLine line = TidemarkCli.commandLine();
        CommandLine shown = command.isEmpty() ? line : line.getSubcommands().get(command);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream before = System.err;
        String help;
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            help = shown.getUsageMessage();
        } finally {
            System.setErr(before);
        }
        assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("picocli WARN");
        assertThat(help).endsWith("\n").doesNotContain("%%", "%n", "${");
    }

    @Test
    void theHelpOfBenchNamesEachWorkload() {
        Pods pods = new Pods("/registry/pods/", 1, 1, 1);
        Amounts amounts = new Amounts(Duration.ZERO, 1, 1, 1);
        try (EtcdClient etcd = new EtcdClient(EtcdOptions.of("http://127.0.0.1:1"))) {
            String help = TidemarkCli.commandLine().getSubcommands().get("bench").getUsageMessage();
            String named = help.replaceAll("(?s).*Workloads: (.*?)\\..*", "$1");
            assertThat(named.split("[,;\\s]+"))
                    .containsAll(
                            Workloads.of(pods, etcd, amounts).stream()
                                    .map(Workload::name)
                                    .toList());
            assertThat(help)
                    .contains("first-start (", "restart (", "rebuild (")
                    .contains("first-start-list,", "restart-list,", "rebuild-list)");
        }
    }
}
