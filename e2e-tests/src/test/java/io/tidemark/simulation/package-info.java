/**
 * The seeded simulation: production's pure code from the connector to the merge, in virtual time,
 * between a fake etcd and a fake topic, with faults; recorded clients, whose results are checked
 * against the promises. Start with {@code Simulation}. May depend on everything.
 */
@NullMarked
package io.tidemark.simulation;

import org.jspecify.annotations.NullMarked;
