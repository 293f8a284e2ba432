/** Deliberate mistakes, each with the promise that must detect it. Start with {@code MutantsIT}. */
@NullMarked
package io.tidemark.simulation.mutant;

import org.jspecify.annotations.NullMarked;
