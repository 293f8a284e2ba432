/** Tests of the whole store, against a reference model. */
@NullMarked
package io.tidemark.store;

import org.jspecify.annotations.NullMarked;
