/** Starts and ends the servers whose starts are measured, and removes what they stored. */
@NullMarked
package io.tidemark.bench.start;

import org.jspecify.annotations.NullMarked;
