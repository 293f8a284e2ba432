package io.tidemark.view;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * A part of the keys of a copy, in order.
 *
 * @param next where the next page begins; empty after the last
 */
public record KeysPage(List<KeyRevision> keys, Optional<Bytes> next) {
    public KeysPage {
        keys = List.copyOf(keys);
    }
}
