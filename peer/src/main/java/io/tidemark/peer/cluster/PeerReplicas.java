package io.tidemark.peer.cluster;

/** The replicas on one other node. */
public interface PeerReplicas {
    /** Its replica of a partition; one that it does not have answers no reads. */
    Replica copy(int partition);
}
