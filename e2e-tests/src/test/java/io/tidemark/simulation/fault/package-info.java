/** What goes wrong: the faults of a world, and the mistakes that check the checker. */
@NullMarked
package io.tidemark.simulation.fault;

import org.jspecify.annotations.NullMarked;
