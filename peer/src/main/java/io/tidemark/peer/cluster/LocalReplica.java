package io.tidemark.peer.cluster;

import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.PartitionView.Subscription;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;
import java.util.Optional;

/** The replica on this node. */
record LocalReplica(PartitionView view) implements Replica {
    @Override
    public PartitionState state() {
        return view.state();
    }

    @Override
    public boolean isDegraded() {
        return false;
    }

    @Override
    public <T> Answer<T> ask(ReadRequest<T> request) {
        ReadOutcome<T> outcome = view.read(request);
        return new Answer<>(outcome, view.state());
    }

    @Override
    public Optional<ChangePage> recentChanges(long epoch, ChangesRequest request) {
        return view.recentChanges(epoch, request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return view.onChange(listener);
    }
}
