package io.tidemark.etcd;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A running watch. The reader pulls; what it does not pull stays at etcd, except for a bounded
 * number of responses. A broken stream is an event: it never resumes by itself.
 *
 * <p>One thread at a time calls {@link #next}; the other methods are thread-safe.
 */
public interface EtcdWatch extends AutoCloseable {
    /** The next event; empty on timeout. After an {@link WatchEvent.End}, it returns that again. */
    Optional<WatchEvent> next(Duration timeout) throws InterruptedException;

    /** Which progress notifications this watch delivers; depends on its member's version. */
    ProgressSupport progressSupport();

    /**
     * Requests a progress notification. etcd replies only when it has no events left to send, so
     * repeat the request, at most every 100 ms, until the {@link WatchEvent.Progress} arrives.
     *
     * @return false if it has no effect: the member's reply could not be trusted, the watch has
     *     ended, or the connection is congested
     */
    boolean requestProgress();

    /**
     * The time, in milliseconds since 1970, as of which all that {@link #next} has returned is the
     * state of etcd, by the clock of the process that read it from there. Empty when that is this
     * process: then it is whenever nothing more is there to read. 0 while it is not known.
     */
    default OptionalLong deliveredAsOfMillis() {
        return OptionalLong.empty();
    }

    /** Ends the watch. Does not block. */
    @Override
    void close();
}
