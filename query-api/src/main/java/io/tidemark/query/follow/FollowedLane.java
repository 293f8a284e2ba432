package io.tidemark.query.follow;

import io.tidemark.record.Bytes;
import io.tidemark.serving.read.KeyScope;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One scope of keys in one partition, and how far it has been read. For one thread. */
final class FollowedLane {
    private static final int PAGE_OBJECTS = 500;
    private static final int PAGE_BYTES = 8 << 20;

    private final KeyScope scope;
    private final int partition;

    /** Null before the list is complete. */
    private @Nullable ChangePosition position;

    FollowedLane(KeyScope scope, int partition) {
        this.scope = scope;
        this.partition = partition;
    }

    int partition() {
        return partition;
    }

    /** Whether it has read more than a revision. */
    boolean isBeyond(long revision) {
        return position != null && position.compareTo(ChangePosition.endOf(revision)) > 0;
    }

    /** Makes the next {@link #advance} list. */
    void relist() {
        position = null;
    }

    /**
     * Reads what the lane lacks of a revision.
     *
     * @return whether all of it has been read
     */
    boolean advance(PartitionView view, long epoch, long revision, FollowedKeys keys) {
        ChangePosition from = position;
        while (from != null && from.wholeRevision() < revision) {
            if (from.isWhole() && hasNoChanges(view.state(), epoch, from, revision)) {
                from = ChangePosition.endOf(revision);
            } else {
                switch (changes(view, epoch, from, revision)) {
                    case ReadOutcome.Served<ChangePage>(ChangePage page) -> {
                        if (page.through().compareTo(from) <= 0) {
                            return false; // The replica that answered is not there yet.
                        }
                        page.changes().forEach(change -> apply(change, keys));
                        from = page.through();
                    }
                    case ReadOutcome.Expired<ChangePage> _ -> from = null;
                    case ReadOutcome.TooNew<ChangePage> _,
                            ReadOutcome.ReplicaUnavailable<ChangePage> _ -> {
                        return false;
                    }
                }
            }
            position = from;
        }
        return from != null || list(view, revision, keys);
    }

    private static boolean hasNoChanges(
            PartitionState state, long epoch, ChangePosition from, long revision) {
        return state.hasNoChanges(epoch, from.wholeRevision(), revision);
    }

    private ReadOutcome<ChangePage> changes(
            PartitionView view, long epoch, ChangePosition from, long revision) {
        ChangesRequest request =
                new ChangesRequest(
                        scope.key(), from, revision, PAGE_OBJECTS, PAGE_BYTES, Projection.WHOLE);
        Optional<ChangePage> recent = view.recentChanges(epoch, request);
        return recent.isPresent() ? new ReadOutcome.Served<>(recent.get()) : view.read(request);
    }

    private void apply(ObjectChange change, FollowedKeys keys) {
        if (!scope.contains(change.key())) {
            return;
        }
        StoredObject current = change.current();
        if (current == null) {
            keys.delete(this, change.key());
        } else {
            keys.put(this, current);
        }
    }

    private boolean list(PartitionView view, long revision, FollowedKeys keys) {
        Set<Bytes> listed = new HashSet<>();
        Optional<Bytes> next = Optional.of(Bytes.EMPTY);
        while (next.isPresent()) {
            ReadOutcome<ScanPage> outcome =
                    view.read(
                            new ScanRequest(
                                    scope.key(),
                                    next.get(),
                                    revision,
                                    Selection.ALL,
                                    PAGE_OBJECTS,
                                    PAGE_BYTES));
            if (!(outcome instanceof ReadOutcome.Served<ScanPage>(ScanPage page))) {
                return false;
            }
            for (StoredObject object : page.objects()) {
                if (scope.contains(object.key())) {
                    listed.add(object.key());
                    keys.put(this, object);
                }
            }
            next = page.nextKey();
        }
        keys.retain(this, listed);
        position = ChangePosition.endOf(revision);
        return true;
    }
}
