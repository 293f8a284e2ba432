package io.tidemark.nodeauth;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Peer secrets from a file: one or two of them, one per line. The file is read again on access, at
 * most once a second; while it is unusable, its previous content stays in force.
 */
public final class PeerSecretFile implements PeerSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSecretFile.class);
    private static final long RELOAD_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private final LongSupplier nanoTime;
    private final AtomicLong readNanos;
    private volatile List<PeerSecret> newest;
    private volatile String lastError = "";

    /**
     * @throws IOException when it cannot be read, or others can read it; the message is a sentence
     * @throws IllegalArgumentException when it does not hold one or two secrets
     */
    public PeerSecretFile(Path file) throws IOException {
        this(file, System::nanoTime);
    }

    PeerSecretFile(Path file, LongSupplier nanoTime) throws IOException {
        this.file = file;
        this.nanoTime = nanoTime;
        this.newest = read(file);
        this.readNanos = new AtomicLong(nanoTime.getAsLong());
    }

    @Override
    public List<PeerSecret> current() {
        long now = nanoTime.getAsLong();
        long before = readNanos.get();
        if (now - before >= RELOAD_NANOS && readNanos.compareAndSet(before, now)) {
            reload();
        }
        return newest;
    }

    private void reload() {
        try {
            List<PeerSecret> found = read(file);
            if (!found.equals(newest)) {
                newest = found;
                LOG.info("the peer secret file changed: {} secrets accepted now", found.size());
            }
            lastError = "";
        } catch (IOException | IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(lastError)) {
                lastError = why;
                LOG.warn("cannot use the peer secret file, keeping the previous secrets: {}", why);
            }
        }
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
