package io.tidemark.streams.replica;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** Where Kafka Streams keeps each partition's store: {@code DIRECTORY/APPLICATION/0_PARTITION}. */
public record StateFolders(Path directory) {
    /** The folders below Streams' state directory; they may not exist yet. */
    public static StateFolders of(Path stateDirectory, String applicationId) {
        return new StateFolders(stateDirectory.resolve(applicationId));
    }

    /** Keeps other users out: Kafka Streams lets the Unix group in at each start. */
    public static void makePrivate(Path stateDirectory, String applicationId) {
        for (Path folder : List.of(stateDirectory, stateDirectory.resolve(applicationId))) {
            try {
                if (Files.isDirectory(folder)
                        && Files.getFileStore(folder).supportsFileAttributeView("posix")) {
                    Files.setPosixFilePermissions(
                            folder, PosixFilePermissions.fromString("rwx------"));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot keep others out of " + folder, e);
            }
        }
    }

    /** Where a partition's store is; it may not exist yet. */
    Path store(int partition) {
        return directory.resolve("0_" + partition).resolve(MirrorStateStore.NAME);
    }

    /** Approximate bytes on disk: files come and go while they are counted. */
    long bytes(int partition) {
        try (Stream<Path> files = Files.walk(directory.resolve("0_" + partition))) {
            return files.mapToLong(StateFolders::size).sum();
        } catch (IOException | UncheckedIOException _) {
            return 0;
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException _) {
            return 0;
        }
    }
}
