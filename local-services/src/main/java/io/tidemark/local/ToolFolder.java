package io.tidemark.local;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The folder of programs that Tidemark has fetched: in the user's cache, shared by all checkouts on
 * a machine. Never in the working folder, where another user could have put a program.
 */
public final class ToolFolder {
    private ToolFolder() {}

    /**
     * @param userHome {@code user.home}, for a process without a HOME
     * @return empty if this user has no home
     */
    public static Optional<Path> of(Map<String, String> environment, String userHome) {
        return absolute(environment.getOrDefault("XDG_CACHE_HOME", ""))
                .or(() ->
                        absolute(environment.getOrDefault("HOME", ""))
                                .or(() -> absolute(userHome))
                                .map(home -> home.resolve(".cache")))
                .map(cache -> cache.resolve("tidemark"));
    }

    /** The XDG specification ignores relative paths. */
    private static Optional<Path> absolute(String path) {
        return Optional.of(Path.of(path)).filter(Path::isAbsolute);
    }
}
