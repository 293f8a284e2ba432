package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/**
 * A watch of one key or of a range of keys.
 *
 * @param endKeyExclusive as in {@link RangeRequest}
 * @param startRevision the first revision to deliver; 0 for changes from now on. While it is above
 *     etcd's revision, etcd from 3.4.38, 3.5.22 and 3.6.2 on sends no progress (20221)
 * @param previousValues whether changes carry the key's previous value
 * @param maxBuffered limit of responses buffered here for the reader, each up to some MB; beyond
 *     it, flow control stops etcd
 */
public record WatchRequest(
        Bytes key,
        Bytes endKeyExclusive,
        long startRevision,
        boolean previousValues,
        int maxBuffered) {
    private static final int DEFAULT_MAX_BUFFERED = 16;

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

    /** One key, from {@code startRevision} on; 0 for changes from now on. */
    public static WatchRequest key(Bytes key, long startRevision) {
        return new WatchRequest(key, Bytes.EMPTY, startRevision, false, DEFAULT_MAX_BUFFERED);
    }

    WatchRequest withPreviousValues() {
        return new WatchRequest(key, endKeyExclusive, startRevision, true, maxBuffered);
    }

    WatchRequest buffering(int newMaxBuffered) {
        return new WatchRequest(
                key, endKeyExclusive, startRevision, previousValues, newMaxBuffered);
    }
}
