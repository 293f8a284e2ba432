package io.tidemark.view.request;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A page of a replica's keys, in order.
 *
 * @param next the start of the next page; empty after the last
 */
public record KeysPage(List<KeyRevision> keys, Optional<Bytes> next) {
    public KeysPage {
        keys = List.copyOf(keys);
    }
}
