package io.tidemark.view;

import java.util.List;

/**
 * A page of changes in order of revision, then index.
 *
 * @param through every change of the range, after the asked position and at or before this one, is
 *     in the page; at or after the asked position. Ask on from here. A page that ends inside a
 *     revision is not {@link #isWhole whole}
 */
public record ChangePage(List<ObjectChange> changes, ChangePosition through) {
    /** A page of whole revisions. */
    public ChangePage(List<ObjectChange> changes, long throughRevision) {
        this(changes, ChangePosition.endOf(throughRevision));
    }

    /** The newest revision of which nothing is missing, here and in the pages before. */
    public long throughRevision() {
        return through.wholeRevision();
    }

    /** Whether it ends between two revisions. */
    public boolean isWhole() {
        return through.isWhole();
    }

    /** The part of it that ends between two revisions; may be empty. */
    public ChangePage completeRevisions() {
        return isWhole()
                ? this
                : new ChangePage(changes.subList(0, partialRevisionStart()), throughRevision());
    }

    /** What follows on {@link #completeRevisions}: the begin, or a middle part, of one revision. */
    public ChangePage partialRevision() {
        return new ChangePage(
                isWhole() ? List.of() : changes.subList(partialRevisionStart(), changes.size()),
                through);
    }

    private int partialRevisionStart() {
        int from = changes.size();
        while (from > 0 && changes.get(from - 1).revision() == through.revision()) {
            from--;
        }
        return from;
    }

    /** What its objects take, as they are stored. */
    public long bytes() {
        return changes.stream().mapToLong(ObjectChange::bytes).sum();
    }
}
