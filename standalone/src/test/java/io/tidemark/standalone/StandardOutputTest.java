package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Isolated("replaces System.out")
class StandardOutputTest {
    @ParameterizedTest
    @ValueSource(strings = {"kubeconfig", "decode --file %s"})
    void aFailedWriteIsAFailure(String command, @TempDir Path folder) throws IOException {
        Path value = Files.writeString(folder.resolve("value"), "{\"kind\":\"K\"}");
        StringWriter err = new StringWriter();
        PrintStream real = System.out;
        System.setOut(new PrintStream(new FullDisk()));
        String[] arguments = command.formatted(value).split(" ");
        int code;
        try {
            code = TidemarkCli.run(Map.of(), new PrintWriter(err, true), arguments);
        } finally {
            System.setOut(real);
        }
        assertThat(err.toString())
                .isEqualToIgnoringNewLines(
                        "tidemark " + arguments[0] + ": cannot write to standard output");
        assertThat(code).isEqualTo(1);
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            throw new IOException("No space left on device");
        }
    }
}
