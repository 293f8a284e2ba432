package io.tidemark.view;

import io.tidemark.record.Bytes;

/**
 * Requests one page of the versions of a key.
 *
 * @param afterRevision exclusive; 0 to begin with the oldest known version
 * @param throughRevision inclusive; capped at the watermark
 * @param maxVersions at least 1: the page ends after this many
 * @param maxBytes at least 1: the page ends with the version that reaches it, so it holds at least
 *     one, of any size
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
