package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * For how long etcd has been asked in vain. It is told the time, in nanoseconds of one clock. For
 * any thread.
 */
final class EtcdReachability {
    private boolean asking;
    private long askedAt;

    /** A question goes out; those that follow before an answer belong to it. */
    synchronized void asked(long now) {
        if (!asking) {
            asking = true;
            askedAt = now;
        }
    }

    synchronized void answered() {
        asking = false;
    }

    /**
     * Since the first question after the last answer. Time in which nothing was asked is not part
     * of it: whoever was stopped for a minute has not missed etcd for a minute.
     */
    synchronized Duration unreachableFor(long now) {
        return asking ? Duration.ofNanos(Math.max(0, now - askedAt)) : Duration.ZERO;
    }
}
