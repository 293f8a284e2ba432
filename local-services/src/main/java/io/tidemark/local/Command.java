package io.tidemark.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a program, with a timeout. */
public final class Command {
    private Command() {}

    /** Exit code and output, standard error included. */
    public record Result(int exitCode, String output) {
        public boolean succeeded() {
            return exitCode == 0;
        }

        /** The last non-blank line, for a message. */
        public String lastLine() {
            String[] lines = output.strip().split("\n");
            return lines[lines.length - 1].strip();
        }
    }

    /**
     * @throws IOException if the program cannot be started or does not end in time; it is then
     *     killed
     */
    public static Result run(Path directory, Duration timeout, List<String> command)
            throws IOException {
        // A file, not a pipe: much output or a surviving child cannot block the caller.
        Path output = Files.createTempFile("tidemark-command", ".out");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectInput(ProcessBuilder.Redirect.from(nullDevice()))
                            .redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of("LC_ALL", "C", "DEBIAN_FRONTEND", "noninteractive"));
            Process process = builder.start();
            await(process, timeout, command);
            return new Result(
                    process.exitValue(), Files.readString(output, StandardCharsets.ISO_8859_1));
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static java.io.File nullDevice() {
        return Path.of("/dev/null").toFile();
    }

    private static void await(Process process, Duration timeout, List<String> command)
            throws IOException {
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        command.getFirst() + " did not end within " + timeout.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.getFirst() + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
