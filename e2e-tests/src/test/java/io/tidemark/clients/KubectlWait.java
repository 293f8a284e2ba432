package io.tidemark.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One {@code kubectl wait}, which must survive the node's restart. */
final class KubectlWait implements AutoCloseable {
    private final Process process;
    private final Path errors;

    /**
     * @param arguments what to wait for
     */
    KubectlWait(Kubectl kubectl, String... arguments) throws IOException {
        errors = Files.createTempFile(kubectl.folder(), "wait", ".log");
        process =
                kubectl.command(
                                Stream.concat(
                                                Stream.of("wait", "--timeout=30m"),
                                                Stream.of(arguments))
                                        .toArray(String[]::new))
                        .redirectError(errors.toFile())
                        .start();
    }

    boolean waits() {
        return process.isAlive();
    }

    /** What it printed until its end, errors first. */
    String result() throws IOException, InterruptedException {
        if (!process.waitFor(3, TimeUnit.MINUTES)) {
            throw new IOException("kubectl still waits: " + Files.readString(errors));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Files.readString(errors) + output;
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
