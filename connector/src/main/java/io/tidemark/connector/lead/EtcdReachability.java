package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * Measures for how long etcd has not answered. Times are passed in, in nanoseconds of one clock.
 * Thread-safe.
 */
public final class EtcdReachability {
    private boolean asking;
    private long askedAt;

    /** A request is sent; further requests before an answer continue the same measurement. */
    public synchronized void asked(long now) {
        if (!asking) {
            asking = true;
            askedAt = now;
        }
    }

    public synchronized void answered() {
        asking = false;
    }

    /**
     * Time since the first request after the last answer. Time without requests does not count: a
     * process that was suspended for a minute has not missed etcd for a minute.
     */
    public synchronized Duration unreachableFor(long now) {
        return asking ? Duration.ofNanos(Math.max(0, now - askedAt)) : Duration.ZERO;
    }
}
