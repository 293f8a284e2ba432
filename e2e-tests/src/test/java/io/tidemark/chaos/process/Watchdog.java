package io.tidemark.chaos.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Ends every process of a run when this JVM has ended for any reason: a shell waits for the end of
 * its input, which the kernel closes, and then kills the processes in the run's pid files.
 */
final class Watchdog implements AutoCloseable {
    /**
     * A pid that now belongs to another program is skipped: its command line does not contain the
     * folder.
     */
    private static final String SCRIPT =
            """
            while read -r word; do [ "$word" = leave ] && exit 0; done
            for file in "$1"/*.pid; do
              pid=$(cat "$file") || continue
              tr '\\0' ' ' < "/proc/$pid/cmdline" | grep -qF -- "$1" && kill -9 "$pid"
            done
            """;

    private final Process shell;

    Watchdog(Path folder) throws IOException {
        shell =
                new ProcessBuilder(
                                List.of(
                                        "setsid",
                                        "sh",
                                        "-c",
                                        SCRIPT,
                                        "watchdog",
                                        folder.toAbsolutePath().toString()))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
    }

    /** Kills them all now. */
    @Override
    public void close() throws IOException {
        shell.getOutputStream().close();
        try {
            shell.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends without killing, so that the cluster can be inspected. */
    void leaveRunning() throws IOException {
        shell.outputWriter().append("leave\n").close();
    }
}
