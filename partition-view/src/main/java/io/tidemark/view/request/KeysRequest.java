package io.tidemark.view.request;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.Projection;

/**
 * Requests a page of keys with their revisions.
 *
 * @param family which of the replica's families with newest objects is read
 * @param epoch of {@code atRevision}; a replica in another one does not answer
 * @param fromKeyInclusive start of the page
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
