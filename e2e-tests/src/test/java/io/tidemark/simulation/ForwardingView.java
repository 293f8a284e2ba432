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

/** Forwards every call; a mutant overrides the one that it gets wrong. */
abstract class ForwardingView implements PartitionView {
    private final PartitionView view;

    ForwardingView(PartitionView view) {
        this.view = view;
    }

    @Override
    public int partition() {
        return view.partition();
    }

    @Override
    public PartitionState state() {
        return view.state();
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision) {
        return view.get(key, atRevision);
    }

    @Override
    public ReadOutcome<ScanPage> scan(ScanRequest request) {
        return view.scan(request);
    }

    @Override
    public ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return view.changes(request);
    }

    @Override
    public ReadOutcome<VersionPage> versions(VersionsRequest request) {
        return view.versions(request);
    }

    @Override
    public ReadOutcome<RevisionAtTime> revisionAt(long timeMillis) {
        return view.revisionAt(timeMillis);
    }

    @Override
    public ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max) {
        return view.unreadable(prefix, max);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return view.onChange(listener);
    }
}
