package io.tidemark.etcd;

/** Which of etcd's two progress notifications can be believed. */
public enum ProgressSupport {
    /** Replies to progress requests, and the periodic notes too. */
    MANUAL,
    /**
     * Only the periodic notes. Replies to progress requests may run ahead of events that are still
     * queued, or never come. How often the notes come is for the server to say: {@code
     * --experimental-watch-progress-notify-interval}, ten minutes by default.
     */
    PERIODIC
}
