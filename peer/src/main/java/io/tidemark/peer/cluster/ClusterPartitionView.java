package io.tidemark.peer.cluster;

import io.tidemark.peer.wire.ViewCall;
import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.Projection;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.StoredObject;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.VersionPage;
import io.tidemark.view.VersionsRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All copies of one partition as one view. It stands where the best copy stands, and a read goes to
 * a copy that can answer it; when that one fails, to the next. Copies come and go, the view stays.
 *
 * <p>That a revision is gone is said when every copy that may go back to it has said so: one that
 * may, and does not answer, is waited for until it has gone, or has not answered for {@link
 * TrackedReplica#UNRESPONSIVE_GRACE_PERIOD}.
 *
 * <p>A history that has been seen anywhere is never followed by an older one: while only copies of
 * an older one can be reached, the view is not ready.
 */
final class ClusterPartitionView implements PartitionView {
    private final int partition;
    private final int rotation;
    private final LongSupplier nanoTime;
    private final Listeners listeners;

    /** Guards what follows from several copies together; reads never take it. */
    private final Object lock = new Object();

    private volatile List<SubscribedReplica> copies = List.of();
    private volatile PartitionState state = PartitionState.EMPTY;

    /** The newest history that any copy has shown. Guarded by lock. */
    private long epochSeen;

    private record SubscribedReplica(TrackedReplica copy, Subscription subscription) {}

    ClusterPartitionView(int partition, int rotation) {
        this(partition, rotation, System::nanoTime);
    }

    ClusterPartitionView(int partition, int rotation, LongSupplier nanoTime) {
        this.partition = partition;
        this.nanoTime = nanoTime;
        this.listeners = new Listeners(partition);
        this.rotation = rotation;
    }

    /**
     * Replaces the copies.
     *
     * @param next this node's own first
     */
    void setCopies(List<? extends Replica> next) {
        synchronized (lock) {
            List<SubscribedReplica> before = copies;
            copies =
                    next.stream()
                            .map(copy -> new TrackedReplica(copy, nanoTime))
                            .map(copy -> new SubscribedReplica(copy, copy.onChange(this::refresh)))
                            .toList();
            before.forEach(each -> each.subscription().close());
        }
        refresh();
    }

    private void refresh() {
        boolean moved;
        synchronized (lock) {
            PartitionState before = state;
            List<PartitionState> states = copies.stream().map(each -> each.copy().state()).toList();
            epochSeen = Math.max(epochSeen, ReplicaStates.newestEpoch(states));
            state = ReplicaStates.best(epochSeen, states);
            moved = !state.equals(before);
        }
        if (moved) {
            listeners.notifyListeners();
        }
    }

    /** Another copy has shown a newer history than any that was known. */
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
    public ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision) {
        return get(key, atRevision, Projection.WHOLE);
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(
            Bytes key, long atRevision, Projection projection) {
        return ask(new ViewCall.Get(key, atRevision, projection));
    }

    @Override
    public ReadOutcome<ScanPage> scan(ScanRequest request) {
        return ask(new ViewCall.Scan(request));
    }

    @Override
    public ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return ask(new ViewCall.Changes(request));
    }

    @Override
    public ReadOutcome<VersionPage> versions(VersionsRequest request) {
        return ask(new ViewCall.Versions(request));
    }

    @Override
    public ReadOutcome<RevisionAtTime> revisionAt(long timeMillis) {
        return ask(new ViewCall.RevisionAt(timeMillis));
    }

    @Override
    public ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max) {
        return ask(new ViewCall.Unreadable(prefix, max));
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }

    private <T> ReadOutcome<T> ask(ViewCall<T> call) {
        PartitionState wanted = state;
        List<TrackedReplica> known = copies.stream().map(SubscribedReplica::copy).toList();
        @Nullable ReadOutcome<T> partial = null;
        @Nullable ReadOutcome<T> refusal = null;
        @Nullable ReadOutcome<T> doubt = null;
        for (TrackedReplica copy : ReplicaRanking.order(known, call, wanted, rotation)) {
            Replica.Answer<T> answer = copy.ask(call);
            observeEpoch(answer.epoch());
            ReadOutcome<T> outcome = answer.outcome();
            if (outcome instanceof ReadOutcome.ReplicaUnavailable<T>) {
                refusal = RefusalPrecedence.stronger(refusal, outcome);
                if (copy.state().floor() <= call.revision() && copy.isWithinGracePeriod()) {
                    doubt = outcome;
                }
            } else if (answer.epoch() == wanted.epoch()) {
                if (!(outcome instanceof ReadOutcome.Served<T>(T value))) {
                    refusal = RefusalPrecedence.stronger(refusal, outcome);
                } else if (call.isCompleteAnswer(value)) {
                    return outcome;
                } else if (partial == null) {
                    partial = outcome;
                }
            }
        }
        if (partial != null) {
            return partial;
        }
        if (refusal instanceof ReadOutcome.Expired<T>) {
            refresh(); // Where those that refused stand is known better now.
            return doubt == null ? refusal : doubt;
        }
        return refusal != null
                ? refusal
                : new ReadOutcome.ReplicaUnavailable<>(
                        "no copy of partition " + partition + " can be read");
    }
}
