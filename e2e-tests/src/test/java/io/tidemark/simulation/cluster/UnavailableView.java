package io.tidemark.simulation.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.ReadRequest;

/** A partition of a node that is down. */
record UnavailableView(int partition) implements PartitionView {
    @Override
    public PartitionState state() {
        return PartitionState.EMPTY;
    }

    @Override
    public <T> ReadOutcome<T> read(ReadRequest<T> request) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }
}
