package io.tidemark.store.read;

import io.tidemark.record.Bytes;

/**
 * A range of etcd keys.
 *
 * @param toExclusive {@link Bytes#EMPTY} for no end
 */
record KeyRange(Bytes fromInclusive, Bytes toExclusive) {
    boolean endsBefore(Bytes key) {
        return toExclusive.length() > 0 && key.compareTo(toExclusive) >= 0;
    }

    boolean contains(Bytes key) {
        return key.compareTo(fromInclusive) >= 0 && !endsBefore(key);
    }
}
