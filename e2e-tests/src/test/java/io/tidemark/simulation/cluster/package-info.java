/**
 * The parts of production in the simulated world: connectors and their group, nodes and their
 * replicas, the network between them, and the faults applied to them.
 */
@NullMarked
package io.tidemark.simulation.cluster;

import org.jspecify.annotations.NullMarked;
