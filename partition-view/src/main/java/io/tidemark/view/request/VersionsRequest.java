package io.tidemark.view.request;

import io.tidemark.record.Bytes;

/**
 * Requests the next page of one key's known versions, oldest first. The outcome is never {@link
 * ReadOutcome.Expired}: the page says where its knowledge begins, which is later for a replica with
 * a higher floor.
 *
 * @param afterRevision exclusive; 0 to begin with the oldest known version
 * @param throughRevision inclusive; a replica that has not reached it answers {@link
 *     ReadOutcome.TooNew}
 * @param maxVersions at least 1: the page ends after this many
 * @param maxBytes at least 1: the page ends with the version that reaches it, so it holds at least
 *     one, of any size
 */
public record VersionsRequest(
        Bytes key, long afterRevision, long throughRevision, int maxVersions, int maxBytes)
        implements ReadRequest<VersionPage> {
    public VersionsRequest {
        if (maxVersions < 1 || maxBytes < 1) {
            throw new IllegalArgumentException(
                    "a page of %d versions, %d bytes".formatted(maxVersions, maxBytes));
        }
    }

    @Override
    public long revision() {
        return 0;
    }
}
