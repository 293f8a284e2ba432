package io.tidemark.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where programs that Tidemark fetched for itself lie: in the user's cache, which all checkouts on
 * a machine share. Never in the folder that a command is started in: whoever made that folder could
 * have put a program there.
 */
final class ToolFolder {
    private ToolFolder() {}

    /**
     * @param userHome as the system knows it, for a process without a HOME
     * @return empty when this user has no home
     */
    static Optional<Path> of(Map<String, String> environment, String userHome) {
        return absolute(environment.getOrDefault("XDG_CACHE_HOME", ""))
                .or(() ->
                        absolute(environment.getOrDefault("HOME", ""))
                                .or(() -> absolute(userHome))
                                .map(home -> home.resolve(".cache")))
                .map(cache -> cache.resolve("tidemark"));
    }

    /** As the convention has it, a relative path counts as none. */
    private static Optional<Path> absolute(String path) {
        return Optional.of(Path.of(path)).filter(Path::isAbsolute);
    }
}
