package io.tidemark.view.request;

import io.tidemark.record.Bytes;

/**
 * Requests the keys whose newest applied version should be an object and is unreadable: so, unlike
 * the other reads, this is not at an exact revision. The partition has {@link
 * io.tidemark.view.PartitionState#unreadable} of them.
 *
 * @param prefix of the keys
 * @param max at least 1
 */
public record UnreadableRequest(Bytes prefix, int max) implements ReadRequest<UnreadablePage> {
    @Override
    public long revision() {
        return 0;
    }
}
