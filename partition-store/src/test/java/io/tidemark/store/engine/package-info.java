/** An engine in memory, and engines that fail, stall or record, for tests. */
@NullMarked
package io.tidemark.store.engine;

import org.jspecify.annotations.NullMarked;
