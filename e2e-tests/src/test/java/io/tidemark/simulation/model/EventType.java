package io.tidemark.simulation.model;

/** The type of a watch event. */
public enum EventType {
    ADDED,
    MODIFIED,
    DELETED
}
