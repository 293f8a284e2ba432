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
 * The secrets in a file: a line each, one or two of them. The file is read again, once a second at
 * most, when it is asked for; while it cannot be used, what it held before goes on to count.
 */
public final class PeerSecretFile implements PeerSecrets {
    private static final Logger LOG = LoggerFactory.getLogger(PeerSecretFile.class);
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private final LongSupplier nanoTime;
    private final AtomicLong readNanos;
    private volatile List<PeerSecret> newest;
    private volatile String trouble = "";

    /**
     * @throws IOException when it cannot be read, or others can read it, as a sentence
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
        if (now - before >= AGAIN_NANOS && readNanos.compareAndSet(before, now)) {
            readAgain();
        }
        return newest;
    }

    private void readAgain() {
        try {
            List<PeerSecret> found = read(file);
            if (!found.equals(newest)) {
                newest = found;
                LOG.info("the peer secret has changed: {} of them count now", found.size());
            }
            trouble = "";
        } catch (IOException | IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(trouble)) {
                trouble = why;
                LOG.warn("the peer secret stays as it was: {}", why);
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
                    "the file %s must hold one peer secret, or two while it is changed, a line each"
                            .formatted(file));
        }
        return secrets;
    }
}
