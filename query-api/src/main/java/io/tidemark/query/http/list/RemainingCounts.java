package io.tidemark.query.http.list;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts the objects after a page, for remainingItemCount. Caches the counts of recently served
 * pages, so that the next page need not count them again. The count is not stored in the continue
 * token, since other API servers read and write that document too. Thread-safe.
 */
final class RemainingCounts {
    /** Counting stopped at its limit. */
    static final long TOO_MANY = -1;

    /** Limit of counting: remainingItemCount is optional. */
    private static final int MAX_COUNTED = 10_000;

    private static final long MAX_COUNTED_BYTES = 64L << 20;

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

    /**
     * How many objects follow a page, or {@link #TOO_MANY}: by the count at its own continue token,
     * or else by reading the rest of the scan.
     *
     * @param exact whether the page is at the revision of the previous one, where a cached count
     *     holds
     */
    long after(ListQuery query, boolean exact, MergedScan scan, int pageSize)
            throws InterruptedException {
        OptionalLong known =
                exact ? of(query.prefix(), query.options().continueToken()) : OptionalLong.empty();
        if (known.isPresent()) {
            long left = known.getAsLong();
            if (left == TOO_MANY || left > pageSize) {
                return left == TOO_MANY ? left : left - pageSize;
            }
        }
        long count = 0;
        long bytes = 0;
        @Nullable StoredObject object = scan.next();
        while (object != null) {
            count++;
            bytes += object.stored().length;
            scan.release(object);
            if (count > MAX_COUNTED || bytes > MAX_COUNTED_BYTES) {
                return TOO_MANY;
            }
            object = scan.next();
        }
        return count;
    }

    private synchronized OptionalLong of(Bytes prefix, String token) {
        Long count = counts.get(new Place(prefix, token));
        return count == null ? OptionalLong.empty() : OptionalLong.of(count);
    }
}
