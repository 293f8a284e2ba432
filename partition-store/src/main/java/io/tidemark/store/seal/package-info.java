/** Encrypts Secrets below the store: the engine on disk never gets their values. */
@NullMarked
package io.tidemark.store.seal;

import org.jspecify.annotations.NullMarked;
