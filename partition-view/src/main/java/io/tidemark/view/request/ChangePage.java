package io.tidemark.view.request;

import java.util.List;

/**
 * A page of changes in order of revision, then index.
 *
 * @param through every change of the range after the requested position and at or before this one
 *     is in the page; at or after the requested position. Continue from here. A page that ends
 *     inside a revision is not {@link #isWhole whole}
 */
public record ChangePage(List<ObjectChange> changes, ChangePosition through) {
    /** A page of whole revisions. */
    public ChangePage(List<ObjectChange> changes, long throughRevision) {
        this(changes, ChangePosition.endOf(throughRevision));
    }

    /** The newest revision that is complete with this page. */
    public long throughRevision() {
        return through.wholeRevision();
    }

    /** Whether the page ends between two revisions. */
    public boolean isWhole() {
        return through.isWhole();
    }

    /** The page up to its last complete revision; may be empty. */
    public ChangePage completeRevisions() {
        return isWhole()
                ? this
                : new ChangePage(changes.subList(0, partialRevisionStart()), throughRevision());
    }

    /** The rest after {@link #completeRevisions}: the beginning or middle of one revision. */
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

    /** The stored size of its objects. */
    public long bytes() {
        return changes.stream().mapToLong(ObjectChange::bytes).sum();
    }
}
