package io.tidemark.chaos.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Ends every process of a run when this JVM is gone, however it went: a shell that waits for the
 * end of its input, which the kernel closes, and then kills what the run's pid files name.
 */
final class Watchdog implements AutoCloseable {
    /** A pid that was given to another program since is left alone: it does not name the folder. */
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

    /** Goes away without killing: who asked for it wants to look at the cluster. */
    void leaveRunning() throws IOException {
        shell.outputWriter().append("leave\n").close();
    }
}
