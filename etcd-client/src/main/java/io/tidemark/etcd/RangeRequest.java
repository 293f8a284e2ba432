package io.tidemark.etcd;

import io.tidemark.record.Bytes;

/**
 * A read of one key or of a range of keys, in key order.
 *
 * @param endKeyExclusive empty for the one key {@code key}; {@link #NO_END} for no end
 * @param revision the state at this revision; 0 for the newest
 * @param limit most keys to return, 0 for all of them
 * @param countOnly returns only {@link RangePage#count}
 * @param keysOnly leaves values empty
 * @param serializable any member may answer from its own state: cheaper, and possibly stale
 */
public record RangeRequest(
        Bytes key,
        Bytes endKeyExclusive,
        long revision,
        int limit,
        boolean countOnly,
        boolean keysOnly,
        boolean serializable) {
    /** As the end of a range: etcd's encoding of an open end. */
    public static final Bytes NO_END = Bytes.wrap(new byte[1]);

    public RangeRequest {
        if (revision < 0 || limit < 0) {
            throw new IllegalArgumentException("revision %d, limit %d".formatted(revision, limit));
        }
        if (key.length() == 0) {
            throw new IllegalArgumentException("etcd has no empty key");
        }
    }

    /** The one key. */
    public static RangeRequest key(Bytes key) {
        return new RangeRequest(key, Bytes.EMPTY, 0, 0, false, false, false);
    }

    /** Keys at or above {@code from} and below {@code endKeyExclusive}. */
    public static RangeRequest range(Bytes from, Bytes endKeyExclusive) {
        return new RangeRequest(
                firstKey(from), orNoEnd(endKeyExclusive), 0, 0, false, false, false);
    }

    /** Every key that begins with {@code prefix}; an empty prefix means all keys. */
    public static RangeRequest prefix(Bytes prefix) {
        return range(prefix, prefix.prefixEnd());
    }

    /** At a revision; 0 for the newest. */
    public RangeRequest at(long atRevision) {
        return new RangeRequest(
                key, endKeyExclusive, atRevision, limit, countOnly, keysOnly, serializable);
    }

    /** At most this many keys; 0 for all. */
    public RangeRequest limit(int newLimit) {
        return new RangeRequest(
                key, endKeyExclusive, revision, newLimit, countOnly, keysOnly, serializable);
    }

    /** The number of keys only. */
    public RangeRequest withCountOnly() {
        return new RangeRequest(
                key, endKeyExclusive, revision, limit, true, keysOnly, serializable);
    }

    /** Keys without their values. */
    public RangeRequest withKeysOnly() {
        return new RangeRequest(
                key, endKeyExclusive, revision, limit, countOnly, true, serializable);
    }

    RangeRequest withSerializable() {
        return new RangeRequest(key, endKeyExclusive, revision, limit, countOnly, keysOnly, true);
    }

    /** The same request from {@code from} on: the next page. */
    RangeRequest from(Bytes from) {
        return new RangeRequest(
                from, endKeyExclusive, revision, limit, countOnly, keysOnly, serializable);
    }

    /** etcd requires a first key: the lowest possible one is a single zero byte. */
    static Bytes firstKey(Bytes from) {
        return from.length() == 0 ? NO_END : from;
    }

    static Bytes orNoEnd(Bytes end) {
        return end.length() == 0 ? NO_END : end;
    }
}
