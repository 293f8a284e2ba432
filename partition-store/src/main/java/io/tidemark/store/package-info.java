/**
 * One partition of the mirror topic as a multi-version store: a fold over its changes, and reads at
 * any revision of its window. Start with {@link io.tidemark.store.PartitionStore}, which joins
 * {@link io.tidemark.store.fold} (writes) and {@link io.tidemark.store.read} over {@link
 * io.tidemark.store.layout}. Pure except for the {@link io.tidemark.store.engine.KeyValueEngine}
 * and the clock passed in.
 */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
