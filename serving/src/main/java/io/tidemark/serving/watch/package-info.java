/**
 * Watches. A watch is a cursor into the history, not a queue: while it keeps up it is handed shared
 * events, when it falls behind it reads on by itself. Depends on reading across partitions, on the
 * wire forms of events and on the catalogue.
 */
@NullMarked
package io.tidemark.serving.watch;

import org.jspecify.annotations.NullMarked;
