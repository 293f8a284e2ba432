package io.tidemark.simulation.promise;

/** The promises by name; the others depend on the last two. */
public enum Promise {
    ORDERED,
    UNIQUE,
    RELIABLE,
    ATOMIC,
    RESUMABLE,
    BOOKMARKABLE,
    FILTERED,
    LINEARIZABLE,
    SNAPSHOT,
    NOT_OLDER_THAN,
    MONOTONIC,
    NO_TIME_TRAVEL,
    CONVERGENT,
    HONEST,
    BOUNDED,
    AUTHORIZED,
    /** No component fails with an exception. */
    SOUND,
    /** A store, also one rebuilt from nothing, has the whole history window. */
    WINDOW
}
