package io.tidemark.view;

import io.tidemark.record.Bytes;

/**
 * Asks for keys and their revisions only.
 *
 * @param family which of the two places a copy keeps its objects in is read
 * @param epoch the history that {@code atRevision} is of; a copy of another one does not answer
 * @param fromKeyInclusive where the page begins
 * @param maxKeys at least 1
 */
public record KeysRequest(
        Projection family, long epoch, long atRevision, Bytes fromKeyInclusive, int maxKeys) {
    public KeysRequest {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("most keys: " + maxKeys);
        }
    }
}
