package io.tidemark.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds programs on the PATH like a shell, but skips empty and relative entries, so that no program
 * in the working folder is run.
 */
public final class SearchPath {
    private SearchPath() {}

    /** The first executable file named {@code program} in the folders of {@code path}. */
    public static Optional<Path> find(String path, String program) {
        for (String folder : path.split(File.pathSeparator)) {
            Path candidate = Path.of(folder, program);
            if (candidate.isAbsolute()
                    && Files.isRegularFile(candidate)
                    && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** The same in this process's PATH. */
    public static Optional<Path> find(String program) {
        return find(System.getenv().getOrDefault("PATH", "/usr/bin:/bin"), program);
    }
}
