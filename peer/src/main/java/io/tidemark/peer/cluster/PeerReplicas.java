package io.tidemark.peer.cluster;

/** The copies on one other node. */
public interface PeerReplicas {
    /** Its copy of a partition; never null, one that it does not have answers no reads. */
    Replica copy(int partition);
}
