package io.tidemark.serving.testing;

import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadRequest;

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

    /** The answer to a request, of its type. */
    protected ReadOutcome<?> answer(ReadRequest<?> request) {
        return new ReadOutcome.ReplicaUnavailable<>("not asked here");
    }

    @Override
    @SuppressWarnings("unchecked") // A request is typed by its answer.
    public final <T> ReadOutcome<T> read(ReadRequest<T> request) {
        return (ReadOutcome<T>) answer(request);
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }
}
