package io.tidemark.query.http.list;

import io.tidemark.record.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Caches how many objects follow recently served pages, so that the next page need not count them
 * again. The count is not stored in the continue token, since other API servers read and write that
 * document too. Thread-safe.
 */
final class RemainingCounts {
    /** Counting stopped at its limit. */
    static final long TOO_MANY = -1;

    /** Number of concurrent lists without recounting. */
    static final int MAX_LISTS = 4096;

    private record Place(Bytes prefix, String token) {}

    /** In insertion order. Guarded by this. */
    private final Map<Place, Long> counts =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Place, Long> eldest) {
                    return size() > MAX_LISTS;
                }
            };

    /**
     * @param prefix prefix that the token's key is relative to
     * @param token continue token of the next page
     * @param count how many objects follow, or {@link #TOO_MANY}
     */
    synchronized void put(Bytes prefix, String token, long count) {
        counts.put(new Place(prefix, token), count);
    }

    /** The count for a token; empty when it is not cached. */
    synchronized OptionalLong of(Bytes prefix, String token) {
        Long count = counts.get(new Place(prefix, token));
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }
}
