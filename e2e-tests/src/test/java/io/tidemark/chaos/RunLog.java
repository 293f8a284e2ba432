package io.tidemark.chaos;

import io.tidemark.simulation.promise.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A log of the run, for investigating it: {@code diary.txt} says what was missing while the cluster
 * recovered, and has each violation as soon as it was found.
 */
final class RunLog implements AutoCloseable {
    private final PrintWriter file;
    private int noted;

    RunLog(Path folder) {
        try {
            Files.createDirectories(folder);
            file =
                    new PrintWriter(
                            Files.newBufferedWriter(
                                    folder.resolve("diary.txt"), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void note(String line) {
        file.println(line);
        file.flush();
    }

    /** The new violations since the last call. */
    void violations(List<Violation> all) {
        all.subList(noted, all.size()).forEach(each -> note(each.toString()));
        noted = all.size();
    }

    /** From here on violations come from another checker. */
    void nextEpoch() {
        noted = 0;
    }

    @Override
    public void close() {
        file.close();
    }
}
