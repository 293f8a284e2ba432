/**
 * What all simulated processes share: the size of a world and the plan of a run, virtual time, and
 * blocking code as coroutines. Start with {@code Scheduler}.
 */
@NullMarked
package io.tidemark.simulation.world;

import org.jspecify.annotations.NullMarked;
