package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.bench.start.StartCommand;
import io.tidemark.client.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which options of {@code bench} fit each other when it starts the servers. */
class BenchStartsTest {
    private static BenchCommand.Plan plan(String... more) {
        List<String> arguments = new ArrayList<>(List.of("--target", "a=http://127.0.0.1:1"));
        arguments.addAll(Arrays.asList(more));
        arguments.addFirst("bench");
        CommandLine command = TidemarkCli.commandLine();
        command.parseArgs(arguments.toArray(String[]::new));
        return ((BenchCommand) command.getSubcommands().get("bench").getCommand()).plan();
    }

    @Test
    void keepsACommandLineAsItIs() {
        String line = "'/a b/run' up --etcd=http://e:1,http://f:1 --data \"x\"";
        assertThat(plan("--start", "a=" + line, "--start-data=a=x", "--start-state=a=x/y").starts())
                .hasSize(1)
                .containsEntry("a", new StartCommand(line, Path.of("x"), Path.of("x/y")));
    }

    @Test
    void needsOneForEachTarget() {
        refuses("none for --target b", "--start", "a=run", "--target", "b=http://127.0.0.1:2");
        refuses("--start b: there is no --target", "--start", "b=run");
        refuses("--start-data a: there is no --start", "--start-data", "a=x");
        refuses("there is no --start-data", "--start", "a=run", "--start-state", "a=x");
    }

    @Test
    void measuresTheProcessThatItStarts() {
        String own = Long.toString(ProcessHandle.current().pid());
        refuses("--process a: ", "--start", "a=run", "--process", "a=" + own);
    }

    @Test
    void keepsFoldersApart() {
        refuses("is not inside", "--start=a=run", "--start-data=a=x", "--start-state=a=x/../y");
        refuses("--out must not be inside", "--start=a=run", "--start-data=a=x", "--out=x/y");
        refuses(
                "none is inside the other",
                "--start=a=run",
                "--start-data=a=x/y",
                "--target=b=http://127.0.0.1:2",
                "--start=b=run",
                "--start-data=b=x");
    }

    @Test
    void refusesANameThatIsNoNameOfAFile() {
        refuses(
                "a log is named after it",
                "--target=a/b=http://127.0.0.1:2",
                "--start=a=run",
                "--start=a/b=run");
    }

    private static void refuses(String message, String... more) {
        assertThatThrownBy(() -> plan(more))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(message);
    }
}
