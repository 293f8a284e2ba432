package io.tidemark.query.http.exchange;

import io.tidemark.serving.status.StatusException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the open watches that end because of access control, and logs them: one line for all that
 * end within a second, since a change of rules may end thousands. Thread-safe.
 */
public final class EndedWatches {
    private static final Logger LOG = LoggerFactory.getLogger(EndedWatches.class);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    /** Why a watch ended. */
    public enum Reason {
        /** A change of rules took its right. */
        REVOKED,
        /** Its credentials expired or were removed. */
        EXPIRED,
        /** The rules were not known in time, or nothing could be decided by them. */
        RULES_UNAVAILABLE;

        static Reason of(StatusException why) {
            return switch (why.status().code()) {
                case FORBIDDEN -> REVOKED;
                case UNAUTHORIZED -> EXPIRED;
                default -> RULES_UNAVAILABLE;
            };
        }

        /** In metrics and the log. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final WatchWriters threads;
    private final Consumer<Reason> counter;
    private final Map<Reason, Long> unlogged = new EnumMap<>(Reason.class);

    /**
     * @param threads whose timer logs
     * @param counter counts each
     */
    public EndedWatches(WatchWriters threads, Consumer<Reason> counter) {
        this.threads = threads;
        this.counter = counter;
    }

    /** A watch or a long poll ends. */
    public void ended(StatusException why) {
        Reason reason = Reason.of(why);
        counter.accept(reason);
        LOG.debug("watch ended: {}: {}", reason.label(), why.getMessage());
        synchronized (unlogged) {
            if (unlogged.isEmpty()) {
                var _ = threads.at(System.nanoTime() + LINE_NANOS, this::log);
            }
            unlogged.merge(reason, 1L, Long::sum);
        }
    }

    private void log() {
        StringBuilder line = new StringBuilder();
        synchronized (unlogged) {
            unlogged.forEach((reason, count) ->
                    line.append(line.isEmpty() ? "" : ", ")
                            .append(count)
                            .append(' ')
                            .append(reason.label()));
            unlogged.clear();
        }
        LOG.info("open watches ended by access control within a second: {}", line);
    }
}
