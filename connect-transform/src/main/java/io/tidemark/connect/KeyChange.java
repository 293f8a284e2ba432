package io.tidemark.connect;

import io.tidemark.record.Change;
import java.util.Optional;

/**
 * A put or a delete, with what both have.
 *
 * @param change a put or a delete
 * @param key the etcd key as {@link KeyText} writes it
 * @param index position of the change within its revision
 */
record KeyChange(Change change, String key, int index) {
    /** Empty for a tide mark, which changes no key. */
    static Optional<KeyChange> of(Change change) {
        return switch (change) {
            case Change.Put put ->
                    Optional.of(new KeyChange(put, KeyText.of(put.key()), put.index()));
            case Change.Delete delete ->
                    Optional.of(new KeyChange(delete, KeyText.of(delete.key()), delete.index()));
            case Change.TideMark unused -> Optional.empty();
        };
    }
}
