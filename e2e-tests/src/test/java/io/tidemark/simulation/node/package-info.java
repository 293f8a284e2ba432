/**
 * The nodes: production's stores, links to other nodes, views and reads, with the network between
 * them and their group. Start with {@code SimulatedNode}.
 */
@NullMarked
package io.tidemark.simulation.node;

import org.jspecify.annotations.NullMarked;
