/** Tests of the layout. */
@NullMarked
package io.tidemark.store.layout;

import org.jspecify.annotations.NullMarked;
