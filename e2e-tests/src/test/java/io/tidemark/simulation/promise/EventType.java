package io.tidemark.simulation.promise;

/** The type of a watch event. */
public enum EventType {
    ADDED,
    MODIFIED,
    DELETED
}
