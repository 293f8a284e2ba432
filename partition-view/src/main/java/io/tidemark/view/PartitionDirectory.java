package io.tidemark.view;

import io.tidemark.view.request.ReadOutcome;

/** Finds the view for each partition of the mirror topic. */
public interface PartitionDirectory {
    /** How many partitions the mirror topic has; 0 while unknown. */
    int partitions();

    /**
     * The view of a partition. Never null: without a replica its state is {@link
     * PartitionState#EMPTY} and its reads answer {@link ReadOutcome.ReplicaUnavailable}.
     */
    PartitionView view(int partition);
}
