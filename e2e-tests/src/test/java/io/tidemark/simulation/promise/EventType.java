package io.tidemark.simulation.promise;

/** As a watch event names it. */
public enum EventType {
    ADDED,
    MODIFIED,
    DELETED
}
