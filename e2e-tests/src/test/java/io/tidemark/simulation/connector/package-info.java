/**
 * The connectors: production's feed and election, each as a coroutine, and a record of what they
 * write for the checker. Start with {@code SimulatedConnector}.
 */
@NullMarked
package io.tidemark.simulation.connector;

import org.jspecify.annotations.NullMarked;
