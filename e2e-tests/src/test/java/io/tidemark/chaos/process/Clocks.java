package io.tidemark.chaos.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clocks of the processes, each of which can be set forward or back at run time.
 * libfaketime does that: it intercepts a process's calls for the system's clock, and rereads a file
 * of that process once a second. The JVM's monotonic time, {@code System.nanoTime} and all
 * timeouts, is not affected.
 */
public final class Clocks {
    private static final String LIBRARY = "libfaketimeMT.so.1";
    private static final List<Path> PLACES = List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"));

    private final Path folder;
    private final Optional<Path> library;

    /**
     * @param requested whether {@link #jump} will be used, where that is possible
     */
    Clocks(Path folder, boolean requested) throws IOException {
        this.folder = folder.toAbsolutePath();
        library = requested ? find() : Optional.empty();
    }

    private static Optional<Path> find() throws IOException {
        for (Path place : PLACES) {
            Path direct = place.resolve("faketime").resolve(LIBRARY);
            if (Files.exists(direct)) {
                return Optional.of(direct);
            }
            if (!Files.isDirectory(place)) {
                continue;
            }
            // Debian has a folder for each kind of machine.
            try (DirectoryStream<Path> machines = Files.newDirectoryStream(place, "*-linux-gnu*")) {
                for (Path machine : machines) {
                    Path file = machine.resolve("faketime").resolve(LIBRARY);
                    if (Files.exists(file)) {
                        return Optional.of(file);
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Whether libfaketime is installed, and was requested. */
    public boolean canJump() {
        return library.isPresent();
    }

    /** The environment of a process whose clock can jump. */
    Map<String, String> environment(String name) throws IOException {
        if (library.isEmpty()) {
            return Map.of();
        }
        jump(name, Duration.ZERO);
        return Map.of(
                "LD_PRELOAD", library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE", file(name).toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // The JVM waits by the monotonic clock; the "fix" makes such waits end at once.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Within a second or two the clock of {@code name} is off by that much. */
    public void jump(String name, Duration off) throws IOException {
        Path next = folder.resolve(name + ".clock.next");
        Files.writeString(next, "%+d%n".formatted(off.toSeconds()));
        Files.move(
                next,
                file(name),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private Path file(String name) {
        return folder.resolve(name + ".clock");
    }
}
