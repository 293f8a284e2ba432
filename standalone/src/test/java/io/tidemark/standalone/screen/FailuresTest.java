package io.tidemark.standalone.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
    /** It may quote a server that is not the one it should be. */
    @Test
    void escapesControlCharactersOfAMessage() {
        StringWriter printed = new StringWriter();
        CommandLine command = new CommandLine(new Get()).setErr(new PrintWriter(printed));

        int code = Failures.report(new IOException("not found: \u001b[2J\nall is well"), command);

        assertThat(code).isEqualTo(1);
        assertThat(printed.toString())
                .isEqualToIgnoringNewLines("get: not found: \\u001b[2J\\u000aall is well");
    }

    @Command(name = "get")
    private static final class Get {}
}
