package io.tidemark.query.http.list;

import io.tidemark.serving.read.KeyScope;
import io.tidemark.serving.read.MergedScan;
import io.tidemark.view.object.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the objects after a page, for remainingItemCount. Caches the counts of recently served
 * pages, so that neither the next page nor the same page for another client counts them again: a
 * continue token names the key and the revision. The count is not stored in the token, since other
 * API servers read and write that document too. Thread-safe.
 */
final class RemainingCounts {
    /** Counting stopped at its limit. */
    static final long TOO_MANY = -1;

    /** Not counted yet. */
    static final long UNKNOWN = -2;

    /** Limit of counting: remainingItemCount is optional. */
    private static final int MAX_COUNTED = 10_000;

    private static final long MAX_COUNTED_BYTES = 64L << 20;

    /** Number of concurrent lists without recounting. */
    static final int MAX_LISTS = 4096;

    /** The pages of a shard end at the keys of other lists, but count otherwise. */
    private record Place(KeyScope scope, boolean kubernetesOnly, String shard, String token) {
        Place(ListQuery query, String token) {
            this(query.scope(), query.selection().kubernetesOnly(), query.shard(), token);
        }
    }

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
     * @param token continue token of the next page
     * @param count how many objects follow, or {@link #TOO_MANY}
     */
    synchronized void put(ListQuery query, String token, long count) {
        counts.put(new Place(query, token), count);
    }

    /**
     * How many objects follow a page, {@link #TOO_MANY} or {@link #UNKNOWN}: by the count at its
     * next page's token, or at its own.
     *
     * @param exact whether the page is at the revision of the previous one, where the count at its
     *     own token holds
     * @param token continue token of the next page
     */
    synchronized long after(ListQuery query, boolean exact, String token, int pageSize) {
        long next = counts.getOrDefault(new Place(query, token), UNKNOWN);
        if (next != UNKNOWN || !exact) {
            return next;
        }
        long own = counts.getOrDefault(new Place(query, query.options().continueToken()), UNKNOWN);
        if (own == TOO_MANY) {
            return own;
        }
        return own > pageSize ? own - pageSize : UNKNOWN;
    }

    /** Whether too many objects to count follow the page before this one. */
    synchronized boolean areTooMany(ListQuery query) {
        return counts.getOrDefault(new Place(query, query.options().continueToken()), UNKNOWN)
                == TOO_MANY;
    }

    /** Counts what is left of a scan, or {@link #TOO_MANY}. */
    static long count(MergedScan scan) throws InterruptedException {
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
}
