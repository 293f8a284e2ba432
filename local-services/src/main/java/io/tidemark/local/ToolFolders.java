package io.tidemark.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Where programs that Tidemark fetched for itself lie. */
final class ToolFolders {
    private ToolFolders() {}

    /**
     * The folders to look in. The last is the one to fetch into: the user's cache, so that all
     * checkouts on a machine share one copy, unless there is no home folder to write to.
     */
    static List<Path> of(Map<String, String> environment, Path workingDirectory) {
        List<Path> folders = new ArrayList<>();
        Path repository = repositoryAbove(workingDirectory);
        folders.add(repository.resolve(".tools"));
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        String home = environment.getOrDefault("HOME", "");
        Path cacheFolder = cache.isBlank() ? Path.of(home, ".cache") : Path.of(cache);
        if (cacheFolder.isAbsolute() && isWritable(cacheFolder)) {
            folders.add(cacheFolder.resolve("tidemark"));
        }
        return folders;
    }

    /** The checkout that {@code directory} lies in, known by its launcher; else the directory. */
    private static Path repositoryAbove(Path directory) {
        for (Path folder = directory; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("tidemark"))
                    && Files.isRegularFile(folder.resolve("pom.xml"))) {
                return folder;
            }
        }
        return directory;
    }

    private static boolean isWritable(Path folder) {
        for (Path existing = folder; existing != null; existing = existing.getParent()) {
            if (Files.exists(existing)) {
                return Files.isDirectory(existing) && Files.isWritable(existing);
            }
        }
        return false;
    }
}
