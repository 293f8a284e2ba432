package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("replaces System.out")
class StandardOutputTest {
    @Test
    void aFailedWriteIsAFailure() {
        StringWriter err = new StringWriter();
        PrintStream real = System.out;
        System.setOut(new PrintStream(new FullDisk()));
        int code;
        try {
            code = TidemarkCli.run(Map.of(), new PrintWriter(err, true), "kubeconfig");
        } finally {
            System.setOut(real);
        }
        assertThat(err.toString())
                .isEqualToIgnoringNewLines("tidemark kubeconfig: cannot write to standard output");
        assertThat(code).isEqualTo(1);
    }

    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            throw new IOException("No space left on device");
        }
    }
}
