/** Attacks on the store, and the in-memory engine that simulations use. */
@NullMarked
package io.tidemark.view;

import org.jspecify.annotations.NullMarked;
