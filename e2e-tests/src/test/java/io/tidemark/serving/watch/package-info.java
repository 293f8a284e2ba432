/** The single-threaded driver of the watch package, for the simulation. */
@NullMarked
package io.tidemark.serving.watch;

import org.jspecify.annotations.NullMarked;
