/**
 * A cluster of real processes under faults, with clients that record what they receive and checkers
 * of the promises. Start with {@code ChaosRun}.
 */
@NullMarked
package io.tidemark.chaos;

import org.jspecify.annotations.NullMarked;
