package io.tidemark.view;

import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest changes of one replica in memory, within a bound of changes and bytes: those that
 * follow the live edge read nothing else. It has every change above one revision, in order; the
 * oldest whole revisions go first. Thread-safe; one thread adds.
 */
public final class RecentChanges {
    /** Default bound of the number of changes. */
    public static final int MAX_CHANGES = 1_024;

    private static final long NO_EPOCH = 0;

    private final long maxBytes;

    // All guarded by this. The changes are a ring: the oldest is at first.
    private final @Nullable ObjectChange[] changes;
    private int first;
    private int size;
    private long bytes;
    private long epoch = NO_EPOCH;
    private long after;
    private long through;

    /**
     * @param maxChanges at least 1
     * @param maxBytes of the objects before and after the changes
     */
    public RecentChanges(int maxChanges, long maxBytes) {
        this.changes = new ObjectChange[maxChanges];
        this.maxBytes = maxBytes;
    }

    /** Forgets all; nothing can be read until {@link #restart}. */
    public synchronized void clear() {
        restart(NO_EPOCH, 0);
    }

    /** Forgets all, and begins after a revision of an epoch. */
    public synchronized void restart(long newEpoch, long afterRevision) {
        forgetThrough(Long.MAX_VALUE);
        epoch = newEpoch;
        after = afterRevision;
        through = afterRevision;
    }

    /** Whether changes of an epoch can be added; not after {@link #clear}. */
    public synchronized boolean isOf(long otherEpoch) {
        return epoch == otherEpoch;
    }

    /** Forgets all changes at and below a revision. */
    public synchronized void compact(long throughRevision) {
        if (throughRevision > after) {
            forgetThrough(throughRevision);
        }
    }

    /**
     * Adds a page of whole revisions; begins after {@code afterRevision} if the last one did not
     * end there.
     *
     * @param afterRevision exclusive: the page has every change after it
     */
    public synchronized void append(long inEpoch, long afterRevision, ChangePage page) {
        if (inEpoch != epoch || afterRevision != through) {
            restart(inEpoch, afterRevision);
        }
        add(page.changes(), page.throughRevision());
    }

    /**
     * Adds the next changes. A change that is not above the last one, as in a gap, leaves the
     * revisions through the last one to others to read.
     *
     * @param next those at or below the revision after which this begins are ignored, later ones
     *     must be all that there are
     * @param throughRevision can be read; changes above it are kept until a later call names them
     */
    public synchronized void add(Collection<ObjectChange> next, long throughRevision) {
        for (ObjectChange change : next) {
            add(change);
        }
        through = throughRevision;
    }

    private void add(ObjectChange change) {
        if (size > 0 && ChangePosition.of(at(size - 1)).covers(change)) {
            forgetThrough(at(size - 1).revision());
        }
        if (size == changes.length) {
            forgetThrough(at(0).revision());
        }
        if (change.revision() <= after) {
            return;
        }
        changes[(first + size) % changes.length] = change;
        size++;
        bytes += change.bytes();
        while (bytes > maxBytes) {
            forgetThrough(at(0).revision());
        }
    }

    private void forgetThrough(long revision) {
        after = revision;
        while (size > 0 && at(0).revision() <= revision) {
            bytes -= at(0).bytes();
            changes[first] = null;
            first = (first + 1) % changes.length;
            size--;
        }
    }

    /**
     * The page that the replica would return, read from its history.
     *
     * @param watermark nothing above it is returned
     * @return empty when the page is not in memory, or there is nothing to return
     */
    public synchronized Optional<ChangePage> read(
            long inEpoch, ChangesRequest request, long watermark) {
        long end = Math.min(request.throughRevision(), Math.min(through, watermark));
        if (inEpoch != epoch || request.afterRevision() < after || end <= request.afterRevision()) {
            return Optional.empty();
        }
        List<ObjectChange> page = new ArrayList<>();
        long pageBytes = 0;
        int begin = firstAfter(request.after());
        for (int i = begin; i < size && at(i).revision() <= end; i++) {
            if (page.size() >= request.maxChanges() || pageBytes >= request.maxBytes()) {
                ChangePosition read = ChangePosition.of(at(i - 1));
                return Optional.of(new ChangePage(page, read.endedBy(at(i).revision())));
            }
            if (request.covers(at(i).key())) {
                ObjectChange change = projected(at(i), request.projection());
                page.add(change);
                pageBytes += change.bytes();
            }
        }
        return Optional.of(new ChangePage(page, end));
    }

    private int firstAfter(ChangePosition position) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (position.covers(at(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private ObjectChange at(int index) {
        ObjectChange change = changes[(first + index) % changes.length];
        if (change == null) {
            throw new IllegalStateException("no change " + index + " of " + size);
        }
        return change;
    }

    private static ObjectChange projected(ObjectChange change, Projection projection) {
        return projection == Projection.WHOLE
                ? change
                : new ObjectChange(
                        change.revision(),
                        change.index(),
                        change.key(),
                        projected(change.current(), projection),
                        projected(change.previous(), projection));
    }

    private static @Nullable StoredObject projected(
            @Nullable StoredObject object, Projection projection) {
        return object == null ? null : projection.of(object);
    }
}
