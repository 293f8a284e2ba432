/** What came of a run. */
@NullMarked
package io.tidemark.chaos.report;

import org.jspecify.annotations.NullMarked;
