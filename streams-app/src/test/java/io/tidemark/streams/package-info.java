/** Tests of the node against a real broker. */
@NullMarked
package io.tidemark.streams;

import org.jspecify.annotations.NullMarked;
