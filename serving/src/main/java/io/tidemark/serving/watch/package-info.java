/**
 * Watches. A watch is a cursor into the history, not a queue: a live one takes shared events from a
 * mailbox, a lagging one reads the store. Start with {@link io.tidemark.serving.watch.WatchHub} and
 * {@link io.tidemark.serving.watch.WatchCursor}.
 */
@NullMarked
package io.tidemark.serving.watch;

import org.jspecify.annotations.NullMarked;
