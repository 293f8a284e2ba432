package io.tidemark.streams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Where Kafka Streams keeps each partition's store: {@code DIRECTORY/APPLICATION/0_PARTITION}. */
record StateFolders(Path directory) {
    static StateFolders of(StreamsSettings settings) {
        return new StateFolders(settings.stateDirectory().resolve(settings.applicationId()));
    }

    /** Bytes on disk, about: files come and go while they are counted. */
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
