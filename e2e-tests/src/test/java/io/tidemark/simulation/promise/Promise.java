package io.tidemark.simulation.promise;

/** The promises by name; the last two are what they rest on. */
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
    /** No part gives up by an exception of its own. */
    SOUND,
    /** A store, also one rebuilt from nothing, remembers the whole history window. */
    WINDOW
}
