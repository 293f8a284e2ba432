package io.tidemark.peer;

import io.tidemark.peer.wire.PushedChanges;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangePosition;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.ObjectChange;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Caches the newest changes of a remote replica as they were pushed, so that reading them takes no
 * request. They follow each other without a gap, and the oldest whole revisions go first.
 * Thread-safe.
 */
final class RecentChanges {
    private static final int MAX_CHANGES = 1_024;
    private static final long MAX_BYTES = 2 << 20;

    // All guarded by this.
    private final Deque<ObjectChange> changes = new ArrayDeque<>();
    private long bytes;
    private long epoch;
    private long after;
    private long through;

    synchronized void clear() {
        changes.clear();
        bytes = 0;
        epoch = 0;
    }

    synchronized void add(long inEpoch, PushedChanges pushed) {
        if (inEpoch != epoch || pushed.afterRevision() != through) {
            clear();
            epoch = inEpoch;
            after = pushed.afterRevision();
        }
        through = pushed.page().throughRevision();
        for (ObjectChange change : pushed.page().changes()) {
            changes.add(change);
            bytes += change.bytes();
        }
        while (changes.size() > MAX_CHANGES || bytes > MAX_BYTES) {
            forgetOldestRevision();
        }
    }

    private void forgetOldestRevision() {
        after = changes.getFirst().revision();
        while (!changes.isEmpty() && changes.getFirst().revision() == after) {
            bytes -= changes.removeFirst().bytes();
        }
    }

    /** The page that the replica would have returned; empty when it has to be asked. */
    synchronized Optional<ChangePage> read(long inEpoch, ChangesRequest request) {
        ChangePosition position = request.after();
        long end = Math.min(request.throughRevision(), through);
        if (inEpoch != epoch || request.afterRevision() < after || end <= request.afterRevision()) {
            return Optional.empty();
        }
        List<ObjectChange> page = new ArrayList<>();
        long pageBytes = 0;
        for (ObjectChange change : changes) {
            if (change.revision() > end) {
                break;
            }
            if (!position.covers(change)) {
                if (page.size() >= request.maxChanges() || pageBytes >= request.maxBytes()) {
                    return Optional.of(new ChangePage(page, position.endedBy(change.revision())));
                }
                position = ChangePosition.of(change);
                if (change.key().startsWith(request.prefix())) {
                    page.add(projected(change, request.projection()));
                    pageBytes += change.bytes();
                }
            }
        }
        return Optional.of(new ChangePage(page, end));
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
