/** Tests of the store, and the in-memory engine that simulations use. */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
