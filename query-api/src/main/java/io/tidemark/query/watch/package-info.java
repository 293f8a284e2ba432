/**
 * The part of a watch or a long poll below its connection: events, bookmarks and its end, without a
 * thread and without a system clock. Start with {@link io.tidemark.query.watch.WatchTurns}.
 */
@NullMarked
package io.tidemark.query.watch;

import org.jspecify.annotations.NullMarked;
