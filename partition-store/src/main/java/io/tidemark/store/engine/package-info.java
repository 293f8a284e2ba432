/**
 * The ordered key-value engine under a store: families of keys, atomic batches, snapshots. Start
 * with {@link io.tidemark.store.engine.KeyValueEngine} and {@link
 * io.tidemark.store.engine.WriteBatch}.
 */
@NullMarked
package io.tidemark.store.engine;

import org.jspecify.annotations.NullMarked;
