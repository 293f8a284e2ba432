package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line as a process: standard error and exit codes. */
class CommandLineIT {
    @TempDir Path directory;

    private record Ended(int code, String out, String err) {}

    @Test
    void helpWritesNothingToStandardError() throws Exception {
        Ended ended = run("up", "--help");

        assertThat(ended.code()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out()).contains("about 1 % of a core").endsWith("\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'', 2",
        "frobnicate, 2",
        "up --lisen x, 2",
        "up --listen 0.0.0.0:1, 2",
        "node, 2",
        "node --config /no/such/file, 2",
        "get, 2",
        "get pods -o shapes, 2",
        "get pods --server http://127.0.0.1:1, 1",
        "status --server http://127.0.0.1:1, 1",
        "decode --file /no/such/file, 1",
        "broker --data /proc/nowhere --listen 127.0.0.1:0, 1",
    })
    void errorMessagesAreOneLine(String arguments, int code) throws Exception {
        Ended ended = run(arguments.isEmpty() ? new String[0] : arguments.split(" "));

        assertThat(ended.err()).startsWith("tidemark").endsWith("\n");
        assertThat(ended.err().lines()).hasSize(1);
        assertThat(ended.code()).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"up --help", "certs --out made"})
    void outputThatIsLostIsAFailure(String arguments) throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "needs /dev/full");

        assertThat(exitCode(full, arguments.split(" "))).isEqualTo(1);
        assertThat(error()).isEqualTo("tidemark: cannot write to standard output\n");
    }

    private Ended run(String... arguments) throws Exception {
        Path out = directory.resolve("out");
        int code = exitCode(out, arguments);
        return new Ended(code, Files.readString(out), error());
    }

    private String error() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private int exitCode(Path out, String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                TidemarkCli.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(directory.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TIDEMARK_"));
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }
}
