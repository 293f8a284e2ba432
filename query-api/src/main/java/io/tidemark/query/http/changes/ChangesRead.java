package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeFilter;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.PageLimits;
import java.time.Duration;

/**
 * What one page of changes is read from, and its bounds.
 *
 * @param limit of items
 * @param deadline by {@link System#nanoTime}: then the page ends, even if it has few items or none
 */
record ChangesRead(
        ClusterView view,
        Exchange exchange,
        ChangeScope scope,
        ChangeFilter filter,
        int limit,
        long deadline) {
    /** Of each partition, and for each read. */
    static final PageLimits PAGE = new PageLimits(256, 1 << 20);

    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** Approximate bytes of a described change in memory. */
    private static final long ITEM_BYTES = 4 << 10;

    /** A read that begins now. */
    static ChangesRead begin(
            ClusterView view,
            Exchange exchange,
            ChangeScope scope,
            ChangeFilter filter,
            int limit) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        return new ChangesRead(view, exchange, scope, filter, limit, deadline);
    }

    boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Books the memory of an item until the request ends, or until it is dropped. */
    void keep() {
        exchange.memory().take(ITEM_BYTES);
    }

    void drop() {
        exchange.memory().release(ITEM_BYTES);
    }
}
