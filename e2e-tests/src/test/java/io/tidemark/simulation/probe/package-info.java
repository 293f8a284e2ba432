/** Checks replicas by reads that clients make seldom. */
@NullMarked
package io.tidemark.simulation.probe;

import org.jspecify.annotations.NullMarked;
