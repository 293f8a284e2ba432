package io.tidemark.peer.cluster;

import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Presents all replicas of one partition as one view. Its state is that of the best replica; a read
 * goes to a replica that can answer it, and to the next one when that fails. Replicas come and go,
 * the view stays.
 *
 * <p>A read returns {@code Expired} only after every eligible replica has refused: while one that
 * may still have the revision does not answer, the read is unavailable, until that replica has gone
 * or has been silent for {@link TrackedReplica#UNRESPONSIVE_GRACE_PERIOD}. While one lags that may
 * serve soon, the read is too new, until that replica has read nothing for as long.
 *
 * <p>The view never goes back to an older epoch than any replica has shown: while only replicas of
 * an older epoch can be reached, it is not ready.
 */
final class ClusterPartitionView implements PartitionView {
    private final int partition;
    private final int rotation;
    private final LongSupplier nanoTime;
    private final Listeners listeners;

    /** Guards what is derived from several replicas; reads never take it. */
    private final Object lock = new Object();

    private volatile List<SubscribedReplica> replicas = List.of();
    private volatile PartitionState state = PartitionState.EMPTY;

    /** The newest epoch that any replica has shown. Guarded by lock. */
    private long epochSeen;

    private record SubscribedReplica(TrackedReplica replica, Subscription subscription) {}

    ClusterPartitionView(int partition, int rotation, LongSupplier nanoTime) {
        this.partition = partition;
        this.nanoTime = nanoTime;
        this.listeners = new Listeners(partition);
        this.rotation = rotation;
    }

    /**
     * Replaces the replicas. What is known of one that stays is kept: other nodes that come and go
     * shall not prolong its grace period.
     *
     * @param next this node's own first
     */
    void setCopies(List<? extends Replica> next) {
        synchronized (lock) {
            List<SubscribedReplica> before = replicas;
            replicas = next.stream().map(each -> subscribed(each, before)).toList();
            before.stream()
                    .filter(each -> !replicas.contains(each))
                    .forEach(each -> each.subscription().close());
        }
        refresh();
    }

    private SubscribedReplica subscribed(Replica replica, List<SubscribedReplica> known) {
        for (SubscribedReplica each : known) {
            if (each.replica().tracks(replica)) {
                return each;
            }
        }
        TrackedReplica tracked = new TrackedReplica(replica, nanoTime);
        return new SubscribedReplica(tracked, tracked.onChange(this::refresh));
    }

    private void refresh() {
        boolean moved;
        synchronized (lock) {
            PartitionState before = state;
            List<PartitionState> states = new ArrayList<>(replicas.size());
            replicas.forEach(each -> states.add(each.replica().state()));
            epochSeen = Math.max(epochSeen, ReplicaStates.newestEpoch(states));
            state = ReplicaStates.best(epochSeen, states);
            moved = !state.equals(before);
        }
        if (moved) {
            listeners.notifyListeners();
        }
    }

    /** Takes an epoch that a replica has shown with an answer. */
    private void observeEpoch(long epoch) {
        synchronized (lock) {
            if (epoch <= epochSeen) {
                return;
            }
            epochSeen = epoch;
            state = ReplicaStates.waitingFor(epoch, state);
        }
        listeners.notifyListeners();
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public PartitionState state() {
        return state;
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }

    /** The first replica that has the whole page in memory; this node's own comes first. */
    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        PartitionState now = state;
        if (!now.ready() || now.epoch() != epoch) {
            return Optional.empty();
        }
        long through = Math.min(request.throughRevision(), now.watermark());
        for (SubscribedReplica each : replicas) {
            if (each.replica().state().watermark() >= through) {
                Optional<ChangePage> page = each.replica().recentChanges(epoch, request);
                if (page.isPresent()) {
                    return page;
                }
            }
        }
        return Optional.empty();
    }

    private List<TrackedReplica> trackedReplicas() {
        List<SubscribedReplica> subscribed = replicas;
        List<TrackedReplica> tracked = new ArrayList<>(subscribed.size());
        for (SubscribedReplica each : subscribed) {
            tracked.add(each.replica());
        }
        return tracked;
    }

    @Override
    public <T> ReadOutcome<T> read(ReadRequest<T> request) {
        PartitionState expected = state;
        List<TrackedReplica> known = trackedReplicas();
        @Nullable ReadOutcome<T> lagging = null;
        @Nullable ReadOutcome<T> stopped = null;
        @Nullable ReadOutcome<T> refusal = null;
        @Nullable ReadOutcome<T> doubt = null;
        for (TrackedReplica replica : ReplicaRanking.order(known, request, expected, rotation)) {
            Replica.Answer<T> answer = replica.ask(request);
            observeEpoch(answer.epoch());
            ReadOutcome<T> outcome = answer.outcome();
            if (outcome instanceof ReadOutcome.ReplicaUnavailable<T>) {
                refusal = RefusalPrecedence.stronger(refusal, outcome);
                if (replica.state().floor() <= request.revision()
                        && replica.isWithinGracePeriod()) {
                    doubt = outcome;
                }
            } else if (answer.epoch() == expected.epoch()) {
                if (outcome instanceof ReadOutcome.Served<T>(T value)
                        && request.isCompleteAnswer(value, expected.watermark())) {
                    return outcome;
                } else if (outcome instanceof ReadOutcome.Expired<T>) {
                    refusal = RefusalPrecedence.stronger(refusal, outcome);
                } else if (replica.isAdvancing()) {
                    lagging = RefusalPrecedence.stronger(lagging, outcome);
                } else {
                    stopped = RefusalPrecedence.stronger(stopped, outcome);
                }
            }
        }
        if (lagging != null) {
            return lagging;
        }
        if (refusal instanceof ReadOutcome.Expired<T>) {
            refresh(); // The refusals carry newer states of the replicas.
            return doubt == null ? refusal : doubt;
        }
        if (stopped != null) {
            return stopped;
        }
        return refusal != null
                ? refusal
                : new ReadOutcome.ReplicaUnavailable<>(
                        "no replica of partition " + partition + " is reachable");
    }
}
