/**
 * Which time a request sees: the present, a moment of the past, or a replay of the history.
 *
 * <p>{@code TimeBase} is what a path's first segments say, {@code Moment} a time or a revision,
 * {@code ReplayClock} how far a replay has come.
 */
@NullMarked
package io.tidemark.query.past;

import org.jspecify.annotations.NullMarked;
