package io.tidemark.view;

import java.util.OptionalLong;

/**
 * What was the newest revision at a time. It is known from the marks, which carry the time at which
 * the connector made them, so every partition and every copy of it says the same.
 *
 * @param revision the newest one that a mark had told by then; empty when that lies below the floor
 *     of the copy that answers, or before all that it knows
 * @param settled whether a mark of a later time has come, so that this answer stays. Without it,
 *     what is under way may still be of that time.
 * @param oldestMillis the first time for which there is a revision
 */
public record RevisionAtTime(OptionalLong revision, boolean settled, long oldestMillis) {}
