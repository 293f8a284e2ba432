package io.tidemark.query.http.changes;

import io.tidemark.query.changes.ChangeClass;
import io.tidemark.query.changes.ChangeItem;
import java.util.List;
import java.util.Map;

/**
 * The changes of one page.
 *
 * @param hidden changes that were left out for their class
 * @param end where the next page begins, as the reader of the page writes it; empty when nothing is
 *     left
 */
record ChangesFound(List<ChangeItem> items, Map<ChangeClass, Long> hidden, String end) {}
