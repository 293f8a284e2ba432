package io.tidemark.query.read;

import io.tidemark.view.ChangePage;
import io.tidemark.view.ObjectChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings the changes of several sources into one order: by revision, then by place within the
 * revision. A change leaves only when no source can bring an earlier one any more, so revisions
 * leave whole. Pure; for one thread.
 */
public final class RevisionMerge {
    private static final Comparator<ObjectChange> ORDER =
            Comparator.comparingLong(ObjectChange::revision).thenComparingInt(ObjectChange::index);

    private final List<Source> sources = new ArrayList<>();

    public RevisionMerge(int sources, long afterRevision) {
        if (sources < 1) {
            throw new IllegalArgumentException("sources: " + sources);
        }
        for (int i = 0; i < sources; i++) {
            this.sources.add(new Source(afterRevision));
        }
    }

    /** Every change at or below it has been given to this. */
    public long through() {
        long through = Long.MAX_VALUE;
        for (Source source : sources) {
            through = Math.min(through, source.through);
        }
        return through;
    }

    public long through(int source) {
        return sources.get(source).through;
    }

    /** Takes the next page of a source, which must go on where its last one ended. */
    public void add(int source, ChangePage page) {
        Source to = sources.get(source);
        if (page.throughRevision() < to.through) {
            throw new IllegalStateException(
                    "source %d went back from %d to %d"
                            .formatted(source, to.through, page.throughRevision()));
        }
        for (ObjectChange change : page.changes()) {
            boolean inOrder = to.last == null || ORDER.compare(to.last, change) < 0;
            if (!inOrder
                    || change.revision() <= to.through
                    || change.revision() > page.throughRevision()) {
                throw new IllegalStateException(
                        "source %d: change %d/%d does not follow on %d"
                                .formatted(source, change.revision(), change.index(), to.through));
            }
            to.last = change;
            to.waiting.add(change);
        }
        to.through = page.throughRevision();
    }

    /** Hands out, in order, all changes at or below {@link #through()}. */
    public List<ObjectChange> drain() {
        long through = through();
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
            ordered.add(source.waiting.remove());
            if (source.hasThrough(through)) {
                heads.add(source);
            }
        }
        return ordered;
    }

    private static final class Source {
        private final Deque<ObjectChange> waiting = new ArrayDeque<>();
        private long through;
        private @Nullable ObjectChange last;

        Source(long afterRevision) {
            this.through = afterRevision;
        }

        ObjectChange head() {
            return waiting.element();
        }

        boolean hasThrough(long revision) {
            return !waiting.isEmpty() && head().revision() <= revision;
        }
    }
}
