package io.tidemark.view.request;

import java.util.Comparator;

/**
 * A position in the order of all changes: every change at or before it has been read. Readers
 * inside the cluster may stop at any change; clients only see {@link #isWhole whole} revisions.
 *
 * @param index of the last change read in {@code revision}; {@link Integer#MAX_VALUE}, which no
 *     change has, when all were read
 */
public record ChangePosition(long revision, int index) implements Comparable<ChangePosition> {
    private static final int LAST = Integer.MAX_VALUE;

    private static final Comparator<ChangePosition> ORDER =
            Comparator.comparingLong(ChangePosition::revision)
                    .thenComparingInt(ChangePosition::index);

    public ChangePosition {
        if (index < 0) {
            throw new IllegalArgumentException("index " + index);
        }
    }

    /** After all changes of a revision. */
    public static ChangePosition endOf(long revision) {
        return new ChangePosition(revision, LAST);
    }

    /** After one change. */
    public static ChangePosition of(ObjectChange change) {
        return new ChangePosition(change.revision(), change.index());
    }

    /** Whether it lies between two revisions; otherwise more of {@link #revision} may follow. */
    public boolean isWhole() {
        return index == LAST;
    }

    /** The newest revision of which all changes have been read. */
    public long wholeRevision() {
        return isWhole() ? revision : revision - 1;
    }

    /** The position, given that the next change is in {@code nextRevision}. */
    public ChangePosition endedBy(long nextRevision) {
        return nextRevision > revision ? endOf(revision) : this;
    }

    /** Whether a change has been read. */
    public boolean covers(ObjectChange change) {
        return change.revision() < revision
                || (change.revision() == revision && change.index() <= index);
    }

    @Override
    public int compareTo(ChangePosition other) {
        return ORDER.compare(this, other);
    }
}
