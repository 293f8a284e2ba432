/**
 * Reads of a store at a revision of its window, and the threads that they run on. Start with {@link
 * io.tidemark.store.read.LocalPartitionView} and {@link io.tidemark.store.read.RangeScan}.
 */
@NullMarked
package io.tidemark.store.read;

import org.jspecify.annotations.NullMarked;
