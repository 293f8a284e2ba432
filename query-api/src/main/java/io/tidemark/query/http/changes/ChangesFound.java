package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeClass;
import io.tidemark.query.changes.ChangeItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The changes of one page.
 *
 * @param hidden changes that were left out for their class
 * @param end where the next page begins, as the reader of the page writes it; empty when nothing is
 *     left
 */
record ChangesFound(List<ChangeItem> items, Map<ChangeClass, Long> hidden, String end) {
    /** After this time a page ends, even if it has few changes or none. */
    static final Duration LONGEST = Duration.ofSeconds(2);

    /** Approximate bytes of a described change in memory. */
    static final long ITEM_BYTES = 4 << 10;
}
