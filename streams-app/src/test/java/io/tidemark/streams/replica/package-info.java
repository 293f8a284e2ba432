/** Tests of the package without a broker. */
@NullMarked
package io.tidemark.streams.replica;

import org.jspecify.annotations.NullMarked;
