package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeFilter;
import io.tidemark.query.changes.ChangeItem;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.read.PageLimits;
import java.time.Duration;

/**
 * What one page of changes is read from, and its bounds.
 *
 * @param limit of items
 * @param bytes of items in memory: then the page ends too, but not without an item
 * @param deadline by {@link System#nanoTime}: then the page ends, even if it has few items or none
 */
record ChangesRead(
        ClusterView view,
        Exchange exchange,
        ChangeScope scope,
        ChangeFilter filter,
        int limit,
        long bytes,
        long deadline) {
    /** Of each partition, and for each read. */
    static final PageLimits PAGE = new PageLimits(256, 1 << 20);

    private static final Duration LONGEST = Duration.ofSeconds(2);

    /** A read that begins now. */
    static ChangesRead begin(
            ClusterView view,
            Exchange exchange,
            ChangeScope scope,
            ChangeFilter filter,
            int limit,
            long bytes) {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        return new ChangesRead(view, exchange, scope, filter, limit, bytes, deadline);
    }

    boolean isOver() {
        return System.nanoTime() - deadline >= 0;
    }

    /** Books the memory of an item until the request ends, or until it is dropped. */
    void keep(ChangeItem item) {
        exchange.memory().take(item.weight());
    }

    void drop(ChangeItem item) {
        exchange.memory().release(item.weight());
    }
}
