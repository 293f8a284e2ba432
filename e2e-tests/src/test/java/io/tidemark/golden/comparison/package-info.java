/**
 * What counts as the recorded answer: comparisons, and the declared deviations. Start with {@link
 * io.tidemark.golden.comparison.AnswerVerifier}.
 */
@NullMarked
package io.tidemark.golden.comparison;

import org.jspecify.annotations.NullMarked;
