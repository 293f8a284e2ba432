/**
 * What a store keeps in its engine: keys, values, indexes and the state of the fold. Start with
 * {@link io.tidemark.store.layout.KeyLayout}.
 */
@NullMarked
package io.tidemark.store.layout;

import org.jspecify.annotations.NullMarked;
