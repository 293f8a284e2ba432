package io.tidemark.serving.testing;

import io.tidemark.record.Bytes;
import io.tidemark.view.ChangePage;
import io.tidemark.view.ChangesRequest;
import io.tidemark.view.PartitionDirectory;
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

/** The only partition of a topic; a test overrides the reads it needs. */
public abstract class LonePartition implements PartitionView, PartitionDirectory {
    @Override
    public int partitions() {
        return 1;
    }

    @Override
    public PartitionView view(int number) {
        return this;
    }

    @Override
    public int partition() {
        return 0;
    }

    @Override
    public ReadOutcome<Optional<StoredObject>> get(Bytes key, long atRevision) {
        return notAsked();
    }

    @Override
    public ReadOutcome<ScanPage> scan(ScanRequest request) {
        return notAsked();
    }

    @Override
    public ReadOutcome<ChangePage> changes(ChangesRequest request) {
        return notAsked();
    }

    @Override
    public ReadOutcome<VersionPage> versions(VersionsRequest request) {
        return notAsked();
    }

    @Override
    public ReadOutcome<RevisionAtTime> revisionAt(long timeMillis) {
        return notAsked();
    }

    @Override
    public ReadOutcome<UnreadablePage> unreadable(Bytes prefix, int max) {
        return notAsked();
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }

    private static <T> ReadOutcome<T> notAsked() {
        return new ReadOutcome.ReplicaUnavailable<>("not asked here");
    }
}
