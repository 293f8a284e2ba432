package io.tidemark.view;

import io.tidemark.record.Bytes;

/**
 * One page of the versions of a key.
 *
 * @param afterRevision exclusive; 0 to begin with the oldest that is known
 * @param throughRevision inclusive; above the watermark is read as the watermark
 * @param maxVersions at least 1: the page ends after this many
 * @param maxBytes at least 1: the page ends with the version that reaches it, so it holds one at
 *     least, however large
 */
public record VersionsRequest(
        Bytes key, long afterRevision, long throughRevision, int maxVersions, int maxBytes) {
    public VersionsRequest {
        if (maxVersions < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a page of %d versions, %d bytes".formatted(maxVersions, maxBytes));
        }
    }
}
