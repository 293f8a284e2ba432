package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/**
 * What to watch: one key or a range of keys.
 *
 * @param endKeyExclusive as in {@link RangeRequest}
 * @param startRevision the first revision wanted; 0 for whatever comes after now. While it is above
 *     etcd's revision, etcd from 3.4.38, 3.5.22 and 3.6.2 on tells no progress (20221)
 * @param previousValues whether changes carry what the key held before
 * @param maxBuffered answers of etcd that may wait here for the reader, each up to some MB; when so
 *     many wait, etcd is made to wait
 */
public record WatchRequest(
        Bytes key,
        Bytes endKeyExclusive,
        long startRevision,
        boolean previousValues,
        int maxBuffered) {
    public static final int DEFAULT_MAX_BUFFERED = 16;

    public WatchRequest {
        if (startRevision < 0 || maxBuffered < 1 || maxBuffered > 1024) {
            throw new IllegalArgumentException(
                    "start revision %d, %d answers buffered (1 to 1024)"
                            .formatted(startRevision, maxBuffered));
        }
    }

    /** Every key that begins with {@code prefix}; an empty prefix means all keys. */
    public static WatchRequest prefix(Bytes prefix, long startRevision) {
        return new WatchRequest(
                RangeRequest.firstKey(prefix),
                RangeRequest.orNoEnd(prefix.prefixEnd()),
                startRevision,
                false,
                DEFAULT_MAX_BUFFERED);
    }

    public static WatchRequest key(Bytes key, long startRevision) {
        return new WatchRequest(key, Bytes.EMPTY, startRevision, false, DEFAULT_MAX_BUFFERED);
    }

    public WatchRequest withPreviousValues() {
        return new WatchRequest(key, endKeyExclusive, startRevision, true, maxBuffered);
    }

    public WatchRequest buffering(int newMaxBuffered) {
        return new WatchRequest(
                key, endKeyExclusive, startRevision, previousValues, newMaxBuffered);
    }
}
