package io.tidemark.streams.replica;

import io.tidemark.store.PartitionStore;
import io.tidemark.view.Listeners;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The place of one partition in this process. The partition's assignment opens and closes the store
 * in it; the slot and its listeners stay, so that a reader may keep a reference to the slot.
 */
final class PartitionSlot implements PartitionView {
    private final int partition;
    private final Listeners listeners;
    private volatile @Nullable Occupant occupant;

    private record Occupant(StoreReplica replica, Subscription subscription) {
        PartitionStore store() {
            return replica.store();
        }
    }

    PartitionSlot(int partition) {
        this.partition = partition;
        this.listeners = new Listeners(partition);
    }

    void occupy(StoreReplica replica) {
        occupant =
                new Occupant(replica, replica.store().view().onChange(listeners::notifyListeners));
        listeners.notifyListeners();
    }

    /** Empties the slot, unless another store has taken it since. */
    void vacate(PartitionStore store) {
        Occupant leaving = occupant;
        if (leaving != null && leaving.store() == store) {
            occupant = null;
            leaving.subscription().close();
            listeners.notifyListeners();
        }
    }

    /** Null while this node has no replica of the partition. */
    @Nullable PartitionStore store() {
        Occupant now = occupant;
        return now == null ? null : now.store();
    }

    /** Null while this node has no replica of the partition. */
    @Nullable StoreReplica copy() {
        Occupant now = occupant;
        return now == null ? null : now.replica();
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public PartitionState state() {
        PartitionStore store = store();
        return store == null ? PartitionState.EMPTY : store.state();
    }

    @Override
    public <T> ReadOutcome<T> read(ReadRequest<T> request) {
        PartitionStore store = store();
        return store != null
                ? store.view().read(request)
                : new ReadOutcome.ReplicaUnavailable<>(
                        "partition " + partition + " is not on this node");
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        PartitionStore store = store();
        return store == null ? Optional.empty() : store.view().recentChanges(epoch, request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return listeners.add(listener);
    }
}
