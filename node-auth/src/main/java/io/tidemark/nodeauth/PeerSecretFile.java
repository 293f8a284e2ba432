package io.tidemark.nodeauth;

import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Peer secrets from a file: one or two of them, one per line. The file is read again when it
 * changes.
 */
public final class PeerSecretFile implements PeerSecrets {
    private final ReloadedFiles<List<PeerSecret>> file;

    /**
     * @throws IOException when it cannot be read, or others can read it; the message is a sentence
     * @throws IllegalArgumentException when it does not hold one or two secrets
     */
    public PeerSecretFile(Path file) throws IOException {
        this(file, System::nanoTime);
    }

    PeerSecretFile(Path file, LongSupplier nanoTime) throws IOException {
        this.file =
                new ReloadedFiles<>(
                        "the peer secret file",
                        () -> read(file),
                        secrets -> secrets.size() + " secrets accepted now",
                        nanoTime);
    }

    @Override
    public List<PeerSecret> current() {
        return file.get();
    }

    private static List<PeerSecret> read(Path file) throws IOException {
        List<PeerSecret> secrets =
                SecretFile.read(file)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty())
                        .map(PeerSecret::new)
                        .distinct()
                        .toList();
        if (secrets.isEmpty() || secrets.size() > 2) {
            throw new IllegalArgumentException(
                    "the file %s must hold one peer secret, or two during a rotation, one per line"
                            .formatted(file));
        }
        return secrets;
    }
}
