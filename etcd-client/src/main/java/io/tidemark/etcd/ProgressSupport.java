package io.tidemark.etcd;

/** Which of etcd's two progress notifications can be trusted; the best first. */
public enum ProgressSupport {
    /** Replies to progress requests, and the periodic notifications too. */
    MANUAL,
    /**
     * Only the periodic notifications. Replies to progress requests may overtake events that are
     * still queued, or never arrive. The server sets the interval: {@code
     * --experimental-watch-progress-notify-interval}, ten minutes by default.
     */
    PERIODIC
}
