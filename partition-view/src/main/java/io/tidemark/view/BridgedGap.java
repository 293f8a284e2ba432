package io.tidemark.view;

/**
 * A part of a partition's history that etcd compacted before it was mirrored. Between both
 * revisions, exclusive, the net change of each key is known, but no state.
 *
 * @param after revision of the last state before it
 * @param through revision of the first state after it; the same as {@code after} for no gap
 */
public record BridgedGap(long after, long through) {
    /** No gap. */
    public static final BridgedGap NONE = new BridgedGap(0, 0);

    /** Whether no state is known at a revision. */
    public boolean contains(long revision) {
        return after < revision && revision < through;
    }
}
