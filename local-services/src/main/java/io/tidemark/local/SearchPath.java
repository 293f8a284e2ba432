package io.tidemark.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds programs as a shell does, but never below the folder that it was started in: empty and
 * relative entries of the PATH are passed over.
 */
final class SearchPath {
    private SearchPath() {}

    /** The first executable file named {@code program} in the folders of {@code path}. */
    static Optional<Path> find(String path, String program) {
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
    static Optional<Path> find(String program) {
        return find(System.getenv().getOrDefault("PATH", "/usr/bin:/bin"), program);
    }
}
