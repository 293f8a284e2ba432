package io.tidemark.serving.read;

import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Merges the changes of several sources, which are partitions, by revision, then by index within
 * the revision: the order in which etcd made them. Each page of a source states the position (a
 * revision and an index in it) through which it is complete, whether or not it holds any change. It
 * emits a change only once every source is complete through it, so that no source can deliver an
 * earlier one. Pages may end inside a revision, and so may the output; it holds at most a page of
 * each source. Pure; for one thread.
 */
public final class RevisionMerge {
    private static final Comparator<ObjectChange> ORDER =
            Comparator.comparingLong(ObjectChange::revision).thenComparingInt(ObjectChange::index);

    private final List<Source> sources = new ArrayList<>();

    /**
     * @param afterRevision exclusive: the first page of each source begins after it
     */
    public RevisionMerge(int sources, long afterRevision) {
        this(sources, ChangePosition.endOf(afterRevision));
    }

    /**
     * @param sources at least 1
     * @param after the same for each source
     */
    public RevisionMerge(int sources, ChangePosition after) {
        if (sources < 1) {
            throw new IllegalArgumentException("sources: " + sources);
        }
        for (int i = 0; i < sources; i++) {
            this.sources.add(new Source(after));
        }
    }

    /** Every change at or before it has been added. */
    public ChangePosition through() {
        ChangePosition through = sources.getFirst().through;
        for (Source source : sources) {
            through = source.through.compareTo(through) < 0 ? source.through : through;
        }
        return through;
    }

    /** The end of the last page of one source: its next page begins here. */
    public ChangePosition through(int source) {
        return sources.get(source).through;
    }

    /**
     * Adds the next page of a source, which must begin where its last one ended.
     *
     * @throws IllegalStateException when the page goes back, or its changes are not in order
     */
    public void add(int source, ChangePage page) {
        Source to = sources.get(source);
        if (page.through().compareTo(to.through) < 0) {
            throw new IllegalStateException(
                    "source %d went back from %s to %s"
                            .formatted(source, to.through, page.through()));
        }
        for (ObjectChange change : page.changes()) {
            boolean inOrder = to.last == null || ORDER.compare(to.last, change) < 0;
            if (!inOrder || to.through.covers(change) || !page.through().covers(change)) {
                throw new IllegalStateException(
                        "source %d: change %d/%d does not follow on %s"
                                .formatted(source, change.revision(), change.index(), to.through));
            }
            to.last = change;
            to.pending.add(change);
        }
        to.through = page.through();
    }

    /** Removes and returns, in order, all changes at or before {@link #through()}. */
    public List<ObjectChange> drain() {
        ChangePosition through = through();
        List<ObjectChange> ordered = new ArrayList<>();
        PriorityQueue<Source> heads =
                new PriorityQueue<>((a, b) -> ORDER.compare(a.head(), b.head()));
        for (Source source : sources) {
            if (source.hasThrough(through)) {
                heads.add(source);
            }
        }
        while (!heads.isEmpty()) {
            Source source = heads.remove();
            ordered.add(source.pending.remove());
            if (source.hasThrough(through)) {
                heads.add(source);
            }
        }
        return ordered;
    }

    private static final class Source {
        private final Deque<ObjectChange> pending = new ArrayDeque<>();
        private ChangePosition through;
        private @Nullable ObjectChange last;

        Source(ChangePosition after) {
            this.through = after;
        }

        ObjectChange head() {
            return pending.element();
        }

        boolean hasThrough(ChangePosition position) {
            return !pending.isEmpty() && position.covers(head());
        }
    }
}
