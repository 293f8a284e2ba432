/**
 * The promises as named, pure predicates: what recorded clients saw, held against a reference model
 * of every revision. Depends on nothing of Tidemark but byte strings, so that it cannot share a
 * mistake with it.
 */
@NullMarked
package io.tidemark.simulation.promise;

import org.jspecify.annotations.NullMarked;
