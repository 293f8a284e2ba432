package io.tidemark.client;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import picocli.CommandLine;

/** Runs commands against a fake server. */
abstract class CommandsFixture {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    PrintWriter standardOutput = new PrintWriter(out, true);
    FakeServer server;

    /** In front of all paths. */
    String base = "";

    @BeforeEach
    void start() throws Exception {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    int run(Callable<Integer> command, String... arguments) {
        CommandLine line =
                new CommandLine(command)
                        .setOut(standardOutput)
                        .setErr(new PrintWriter(err, true))
                        .setExecutionExceptionHandler((e, failed, _) -> {
                            failed.getErr().println(e.getMessage());
                            return 1;
                        });
        String[] all = new String[arguments.length + 2];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--server";
        all[arguments.length + 1] = server.url() + base;
        return line.execute(all);
    }
}
