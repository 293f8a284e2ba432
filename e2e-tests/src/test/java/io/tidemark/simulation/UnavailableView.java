package io.tidemark.simulation;

import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import io.tidemark.view.RevisionAtTime;
import io.tidemark.view.ScanPage;
import io.tidemark.view.ScanRequest;
import io.tidemark.view.StoredObject;
import io.tidemark.view.UnreadablePage;
import io.tidemark.view.VersionPage;
import io.tidemark.view.VersionsRequest;
import java.util.Optional;

/** A partition of a node that is down. */
record UnavailableView(int partition) implements PartitionView {
    @Override
    public PartitionState state() {
        return PartitionState.EMPTY;
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public ReadOutcome<ScanPage> scan(ScanRequest request) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public ReadOutcome<VersionPage> versions(VersionsRequest request) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public ReadOutcome<RevisionAtTime> revisionAt(long timeMillis) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max) {
        return new ReadOutcome.ReplicaUnavailable<>("down");
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }
}
