package io.tidemark.credentials;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one or more files hold. They are read again on access, at most once a second; while they are
 * unusable, what they held before stays in force. Reading the content, not the time of the last
 * change, also notices the swapped links by which Kubernetes updates mounted Secrets. Thread-safe.
 *
 * @param <T> a value whose equality is that of its content
 */
public final class ReloadedFiles<T> implements Supplier<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadedFiles.class);
    private static final long RELOAD_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final Source<T> source;
    private final Function<T, String> summary;
    private final LongSupplier nanoTime;
    private final AtomicLong readNanos;
    private volatile T newest;
    private volatile String lastError = "";

    /** Reads files. */
    @FunctionalInterface
    public interface Source<T> {
        /**
         * @throws IOException when a file cannot be read; the message is a sentence
         * @throws IllegalArgumentException when the content is unusable; the message is a sentence
         */
        T read() throws IOException;
    }

    /**
     * Reads them for the first time.
     *
     * @param name of the files in logs, such as {@code the peer secret file}
     * @param summary of a value, without any secret, for logs
     * @throws IOException as the source
     * @throws IllegalArgumentException as the source
     */
    public ReloadedFiles(String name, Source<T> source, Function<T, String> summary)
            throws IOException {
        this(name, source, summary, System::nanoTime);
    }

    /**
     * @param nanoTime a clock that never goes back, such as {@link System#nanoTime}
     */
    public ReloadedFiles(
            String name, Source<T> source, Function<T, String> summary, LongSupplier nanoTime)
            throws IOException {
        this.name = name;
        this.source = source;
        this.summary = summary;
        this.nanoTime = nanoTime;
        this.newest = source.read();
        this.readNanos = new AtomicLong(nanoTime.getAsLong());
    }

    /** The newest usable content. It is the same object as long as the content is the same. */
    @Override
    public T get() {
        long now = nanoTime.getAsLong();
        long before = readNanos.get();
        if (now - before >= RELOAD_NANOS && readNanos.compareAndSet(before, now)) {
            reload();
        }
        return newest;
    }

    private void reload() {
        try {
            T found = source.read();
            if (!found.equals(newest)) {
                newest = found;
                LOG.info("{} changed: {}", name, summary.apply(found));
            }
            lastError = "";
        } catch (IOException | IllegalArgumentException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(lastError)) {
                lastError = why;
                LOG.warn("cannot use {}, keeping its previous content: {}", name, why);
            }
        }
    }
}
