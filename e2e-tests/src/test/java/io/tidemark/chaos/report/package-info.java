/** The result of a run. Start with {@code ChaosReport}. */
@NullMarked
package io.tidemark.chaos.report;

import org.jspecify.annotations.NullMarked;
