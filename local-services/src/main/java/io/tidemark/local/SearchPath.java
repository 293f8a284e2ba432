package io.tidemark.local;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as a shell does. */
final class SearchPath {
    private SearchPath() {}

    /** The first executable file named {@code program} in the folders of {@code path}. */
    static Optional<Path> find(String path, String program) {
        for (String folder : path.split(File.pathSeparator)) {
            if (folder.isEmpty()) {
                continue;
            }
            Path candidate = Path.of(folder, program);
            if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }
}
