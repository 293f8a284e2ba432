package io.tidemark.view;

import java.util.List;

/**
 * A page of changes in order of revision, then index.
 *
 * @param throughRevision every change of the range, after the asked revision and at or below this
 *     one, is in the page; at least the asked revision. Ask on from here.
 */
public record ChangePage(List<ObjectChange> changes, long throughRevision) {
    /** What its objects take, as they are stored. */
    public long bytes() {
        return changes.stream().mapToLong(ObjectChange::bytes).sum();
    }
}
