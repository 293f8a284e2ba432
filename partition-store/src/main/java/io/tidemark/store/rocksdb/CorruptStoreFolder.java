package io.tidemark.store.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder with corrupt data. It is renamed, so that the cause can be examined; only the last such
 * folder is kept.
 */
final class CorruptStoreFolder {
    private static final Logger LOG = LoggerFactory.getLogger(CorruptStoreFolder.class);
    private static final String MARKER = "BROKEN";

    private final Path folder;

    CorruptStoreFolder(Path folder) {
        this.folder = folder;
    }

    /** Whether the data is corrupt, as opposed to a full disk or a held lock. */
    static boolean isCorruption(RocksDBException e) {
        @Nullable Status status = e.getStatus();
        if (status == null) {
            return false;
        }
        return switch (status.getCode()) {
            case Corruption, NotSupported, InvalidArgument, NotFound -> true;
            case IOError -> status.getSubCode() == Status.SubCode.Undefined && isMissingFile(e);
            default -> false;
        };
    }

    private static boolean isMissingFile(RocksDBException e) {
        return String.valueOf(e.getMessage()).contains("No such file");
    }

    /** Marks the data as corrupt for the next open. */
    void mark() {
        try {
            Files.writeString(folder.resolve(MARKER), "");
        } catch (IOException e) {
            LOG.warn("{} is corrupt, but cannot be marked as such: {}", folder, e.toString());
        }
    }

    void quarantineIfMarked() {
        if (Files.exists(folder.resolve(MARKER))) {
            quarantine("found corrupt while in use");
        }
    }

    void quarantine(@Nullable String reason) {
        Path aside = folder.resolveSibling(folder.getFileName() + ".broken");
        try {
            delete(aside);
            Files.move(folder, aside);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot put aside " + folder, e);
        }
        LOG.warn(
                "{} cannot be used ({}): put aside as {}; it will be rebuilt from the topic",
                folder,
                String.valueOf(reason).lines().findFirst().orElse(""),
                aside.getFileName());
    }

    private static void delete(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> files = Files.walk(tree)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
