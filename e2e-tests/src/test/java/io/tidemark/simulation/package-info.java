/**
 * The seeded simulation: production's pure code from the connector to the merge, in virtual time,
 * between a fake etcd and a fake topic, with faults; and what recorded clients saw of it, held
 * against the promises. May depend on everything.
 */
@NullMarked
package io.tidemark.simulation;

import org.jspecify.annotations.NullMarked;
