package io.tidemark.view;

/** Finds the view for each partition of the mirror topic. */
public interface PartitionDirectory {
    /** How many partitions the mirror topic has; 0 while that is not known yet. */
    int partitions();

    /**
     * The best copy of a partition to ask now. Never null: while there is none, a view whose state
     * is {@link PartitionState#EMPTY} and whose reads answer {@link
     * ReadOutcome.ReplicaUnavailable}.
     */
    PartitionView view(int partition);
}
