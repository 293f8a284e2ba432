package io.tidemark.view.request;

import java.util.OptionalLong;

/**
 * The newest revision at a time. It comes from the marks, which carry the time at which the
 * connector made them, so all partitions and all replicas give the same answer.
 *
 * @param revision the newest that a mark had covered by then; empty when it lies below the floor of
 *     the replica that answers, or before its first sample
 * @param settled whether a mark of a later time has come, so that the answer is final. Without it,
 *     changes under way may still be of that time
 * @param oldestMillis the earliest time with a revision
 */
public record RevisionAtTime(OptionalLong revision, boolean settled, long oldestMillis) {}
