package io.tidemark.query.http;

import io.tidemark.record.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How many objects follow the pages that were served lately, so that the next page need not count
 * them again. It does not stand in the token: that is a document which other servers of the
 * protocol read and write too. Thread-safe.
 */
final class RemainingCounts {
    /** Somebody began to count and gave up. */
    static final long TOO_MANY = -1;

    /** Lists that can be in progress at a time without counting anything twice. */
    static final int MAX_LISTS = 4096;

    private record Place(Bytes prefix, String token) {}

    /** Guarded by this; the oldest first. */
    private final Map<Place, Long> counts =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Place, Long> eldest) {
                    return size() > MAX_LISTS;
                }
            };

    /**
     * @param prefix what the token's key is relative to
     * @param token that the next page will be asked for with
     * @param count how many objects follow, or {@link #TOO_MANY}
     */
    synchronized void put(Bytes prefix, String token, long count) {
        counts.put(new Place(prefix, token), count);
    }

    /** The count from the token's place on; empty when nobody has counted, or it is forgotten. */
    synchronized OptionalLong of(Bytes prefix, String token) {
        Long count = counts.get(new Place(prefix, token));
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }
}
