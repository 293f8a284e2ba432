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
 * What happened when, for looking into a run: {@code diary.txt} tells what was missing while the
 * cluster healed, and each violation as soon as it was found.
 */
final class RunLog implements AutoCloseable {
    private final PrintWriter file;
    private int told;

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

    /** Those that are new since the last call. */
    void violations(List<Violation> all) {
        all.subList(told, all.size()).forEach(each -> note(each.toString()));
        told = all.size();
    }

    /** What comes is of another judge. */
    void nextEpoch() {
        told = 0;
    }

    @Override
    public void close() {
        file.close();
    }
}
