/** Gives the simulation access to the node's package-private parts. */
@NullMarked
package io.tidemark.streams;

import org.jspecify.annotations.NullMarked;
