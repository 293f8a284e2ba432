/** The faults, and how their end is detected. Start with {@code FaultKind}. */
@NullMarked
package io.tidemark.chaos.fault;

import org.jspecify.annotations.NullMarked;
