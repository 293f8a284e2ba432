package io.tidemark.authentication.jwt;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the keys that an issuer publishes. It fetches them for the first token, again in the
 * background when they are five minutes old, and again for a key id that it does not know, but at
 * most once in ten seconds, however many tokens come. While the issuer does not answer, it uses the
 * last keys for a day. Thread-safe.
 */
final class KeyCache implements KeyLookup {
    static final Duration FRESH = Duration.ofMinutes(5);
    static final Duration PAUSE = Duration.ofSeconds(10);
    static final Duration TOLERATED = Duration.ofDays(1);

    /** Longer than the two requests of a fetch may take. */
    private static final Duration WAIT = Duration.ofSeconds(12);

    private static final Logger LOG = LoggerFactory.getLogger(KeyCache.class);

    private final String issuer;
    private final Source source;
    private final LongSupplier nanoTime;
    private final Executor executor;
    private final Runnable changed;

    /** All guarded by this. */
    private @Nullable VerificationKeys keys;

    private long fetchedNanos;
    private boolean tried;
    private long triedNanos;
    private String failure = "not fetched yet";
    private @Nullable CompletableFuture<@Nullable Void> fetching;

    /** Asks the issuer for its keys. */
    @FunctionalInterface
    interface Source {
        /**
         * @throws IOException when it does not answer in time
         * @throws IllegalArgumentException when the answer cannot be used
         */
        VerificationKeys fetch() throws IOException, InterruptedException;
    }

    /**
     * @param executor runs a fetch, one at a time
     * @param changed is called after other keys than before were fetched
     */
    KeyCache(
            String issuer,
            Source source,
            LongSupplier nanoTime,
            Executor executor,
            Runnable changed) {
        this.issuer = issuer;
        this.source = source;
        this.nanoTime = nanoTime;
        this.executor = executor;
        this.changed = changed;
    }

    @Override
    public Found find(String keyId) throws InterruptedException {
        CompletableFuture<@Nullable Void> started;
        synchronized (this) {
            VerificationKeys known = usable();
            boolean suffices = known != null && (keyId.isEmpty() || known.has(keyId));
            if (!suffices || isOld()) {
                startUnlessPaused();
            }
            if (known != null && suffices) {
                return new Found.Keys(known);
            }
            started = fetching;
        }
        if (started != null) {
            await(started);
        }
        synchronized (this) {
            VerificationKeys known = usable();
            boolean suffices = known != null && (keyId.isEmpty() || known.has(keyId));
            // If the issuer answered, the key id is not one of its keys.
            return known != null && (suffices || failure.isEmpty() && fetching == null)
                    ? new Found.Keys(known)
                    : new Found.Unavailable(
                            "the keys of the issuer %s: %s".formatted(issuer, failure));
        }
    }

    @Override
    public synchronized void refresh() {
        if (keys != null && isOld()) {
            startUnlessPaused();
        }
    }

    private @Nullable VerificationKeys usable() {
        return age(fetchedNanos).compareTo(TOLERATED) < 0 ? keys : null;
    }

    private boolean isOld() {
        return keys == null || age(fetchedNanos).compareTo(FRESH) >= 0;
    }

    private Duration age(long sinceNanos) {
        return Duration.ofNanos(nanoTime.getAsLong() - sinceNanos);
    }

    private void startUnlessPaused() {
        if (fetching == null && (!tried || age(triedNanos).compareTo(PAUSE) >= 0)) {
            tried = true;
            triedNanos = nanoTime.getAsLong();
            fetching = new CompletableFuture<>();
            executor.execute(this::fetch);
        }
    }

    private void fetch() {
        @Nullable VerificationKeys fetched = null;
        String why = "the fetch ended without an answer";
        try {
            fetched = source.fetch();
            why = "";
        } catch (IOException | IllegalArgumentException e) {
            why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            finish(fetched, why);
        }
    }

    private void finish(@Nullable VerificationKeys fetched, String why) {
        boolean other;
        CompletableFuture<@Nullable Void> done;
        synchronized (this) {
            if (fetched == null && !why.equals(failure)) {
                LOG.warn("cannot fetch the keys of the issuer {}: {}", issuer, why);
            }
            failure = why;
            other = fetched != null && keys != null && !fetched.equals(keys);
            if (fetched != null) {
                keys = fetched;
                fetchedNanos = nanoTime.getAsLong();
            }
            done = fetching;
            fetching = null;
        }
        if (other) {
            LOG.info("the issuer {} has other keys than before", issuer);
            changed.run();
        }
        if (done != null) {
            done.complete(null);
        }
    }

    private static void await(CompletableFuture<@Nullable Void> fetch) throws InterruptedException {
        try {
            fetch.get(WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException _) {
            // What is known by now decides.
        }
    }
}
