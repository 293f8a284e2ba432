/**
 * The processes: starting, ending and pausing them, and the links between them. Start with {@code
 * Cluster}.
 */
@NullMarked
package io.tidemark.chaos.process;

import org.jspecify.annotations.NullMarked;
