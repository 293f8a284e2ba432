package io.tidemark.serving.watch;

import io.tidemark.serving.watch.event.EncodedEvent;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The watches with equal filters: an event is matched once for all of them. */
final class WatcherGroup {
    private final WatchFilter filter;
    private final Set<WatchMailbox> watchers = new LinkedHashSet<>();
    private List<QueuedEvent> pending = new ArrayList<>();
    private long pendingBytes;

    WatcherGroup(WatchFilter filter) {
        this.filter = filter;
    }

    WatchFilter filter() {
        return filter;
    }

    Set<WatchMailbox> watchers() {
        return watchers;
    }

    /**
     * The requirement that the group is indexed by: an equality, of a field if there is one, since
     * few objects share a field's value.
     */
    static Optional<Requirement> trigger(Selection selection) {
        Optional<Requirement> best = Optional.empty();
        for (Requirement requirement : selection.requirements()) {
            if (requirement.operator() == Operator.IN) {
                if (requirement.source() == Source.FIELD) {
                    return Optional.of(requirement);
                }
                best = best.isEmpty() ? Optional.of(requirement) : best;
            }
        }
        return best;
    }

    /**
     * Adds an event if it may match.
     *
     * @return whether it is the first since the last {@link #takePending}
     */
    boolean addPending(EncodedEvent event) {
        Optional<QueuedEvent> posted = filter.queue(event);
        if (posted.isEmpty()) {
            return false;
        }
        pending.add(posted.get());
        pendingBytes += event.bytes();
        return pending.size() == 1;
    }

    Batch takePending(long throughRevision) {
        Batch batch = new Batch(pending, throughRevision, pendingBytes);
        dropPending();
        return batch;
    }

    /** Drops the events since the last {@link #takePending} undelivered. */
    void dropPending() {
        pending = new ArrayList<>();
        pendingBytes = 0;
    }
}
