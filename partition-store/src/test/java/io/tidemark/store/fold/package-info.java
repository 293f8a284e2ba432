/** Tests of the fold. */
@NullMarked
package io.tidemark.store.fold;

import org.jspecify.annotations.NullMarked;
