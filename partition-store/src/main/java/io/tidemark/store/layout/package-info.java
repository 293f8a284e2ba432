/**
 * The content of a store's engine: keys, values, indexes and the state of the fold. Start with
 * {@link io.tidemark.store.layout.KeyLayout} and {@link io.tidemark.store.layout.FoldState}.
 */
@NullMarked
package io.tidemark.store.layout;

import org.jspecify.annotations.NullMarked;
