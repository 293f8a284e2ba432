/**
 * What the simulated Kafka and etcd have in common with the real ones: each contract runs against
 * both. Where they differ, the real one is right.
 */
@NullMarked
package io.tidemark.simulation.contract;

import org.jspecify.annotations.NullMarked;
