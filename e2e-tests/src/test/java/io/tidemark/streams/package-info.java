/** What the simulation needs of the node's insides. */
@NullMarked
package io.tidemark.streams;

import org.jspecify.annotations.NullMarked;
