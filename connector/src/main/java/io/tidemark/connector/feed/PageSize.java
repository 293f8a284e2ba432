package io.tidemark.connector.feed;

import io.tidemark.etcd.KeyValue;
import io.tidemark.etcd.RangePage;

/**
 * Chooses how many keys to request in the next page of a list: few at first, then as many as make a
 * page of {@value #TARGET_BYTES} bytes with values like those of the last one.
 */
public final class PageSize {
    static final int FIRST = 32;
    static final int MOST = 2_000;
    static final long TARGET_BYTES = 4 * 1024 * 1024;

    private int limit = FIRST;

    public int limit() {
        return limit;
    }

    public void listed(RangePage page) {
        long bytes = page.keyValues().stream().mapToLong(KeyValue::size).sum();
        if (bytes > 0) {
            long fitting = TARGET_BYTES * page.keyValues().size() / bytes;
            // Limiting the growth keeps one page of large values after small ones small.
            limit = (int) Math.clamp(fitting, 1, Math.min(MOST, limit * 4L));
        }
    }

    /**
     * The page was larger than a gRPC message may be.
     *
     * @return false when the page was a single key, so that a smaller one does not help
     */
    public boolean tooLarge() {
        if (limit == 1) {
            return false;
        }
        limit = Math.max(1, limit / 4);
        return true;
    }
}
