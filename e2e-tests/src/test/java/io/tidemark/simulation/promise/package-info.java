/**
 * The promises as named, pure predicates over what recorded clients saw and a reference model of
 * every revision. Start with {@code Guarantees}. Depends on nothing of Tidemark but byte strings,
 * so that it cannot share a mistake with it.
 */
@NullMarked
package io.tidemark.simulation.promise;

import org.jspecify.annotations.NullMarked;
