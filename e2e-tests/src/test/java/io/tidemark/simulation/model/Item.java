package io.tidemark.simulation.model;

import io.tidemark.record.Bytes;

/**
 * An object in an answer.
 *
 * @param revision the object's
 * @param shown as in {@link Payload#shown}
 */
public record Item(Bytes key, long revision, String shown) {
    @Override
    public String toString() {
        return key + "@" + revision;
    }
}
