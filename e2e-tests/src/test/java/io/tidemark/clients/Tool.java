package io.tidemark.clients;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program of this machine, found on the PATH. */
record Tool(Path path) {
    /**
     * @throws MissingException when there is none
     */
    static Tool find(String name) throws MissingException {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Tool::new)
                .orElseThrow(() -> new MissingException("needs " + name + " on the PATH"));
    }

    ProcessBuilder command(List<String> arguments) {
        return new ProcessBuilder(
                Stream.concat(Stream.of(path.toString()), arguments.stream()).toList());
    }

    /** Its output, both streams together; fails when it fails or takes longer. */
    static String run(ProcessBuilder command, Duration longest)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("tool", ".log");
        try {
            Process process =
                    command.redirectErrorStream(true).redirectOutput(output.toFile()).start();
            process.getOutputStream().close();
            if (!process.waitFor(longest.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new IOException(command.command() + " took longer than " + longest);
            }
            String said = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command.command() + " failed: " + said.strip());
            }
            return said;
        } finally {
            Files.delete(output);
        }
    }

    /** A tool that a client needs is not on this machine; the message names it. */
    static final class MissingException extends Exception {
        private static final long serialVersionUID = 1L;

        MissingException(String message) {
            super(message);
        }
    }
}
