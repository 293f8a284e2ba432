/** The clients of a simulated cluster: each lists and watches, and records what it gets. */
@NullMarked
package io.tidemark.simulation.client;

import org.jspecify.annotations.NullMarked;
