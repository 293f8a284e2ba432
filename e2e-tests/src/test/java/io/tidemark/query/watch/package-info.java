/** The single-threaded driver of the watch package, for the simulation. */
@NullMarked
package io.tidemark.query.watch;

import org.jspecify.annotations.NullMarked;
