package io.tidemark.serving.freshness;

/** Which state a request asks for. */
public sealed interface RequestedState {
    /** One that includes every write that etcd acknowledged before the request. */
    record Latest() implements RequestedState {}

    /** The newest local one, however stale. */
    record Any() implements RequestedState {}

    /**
     * The newest local one that is not older than a revision.
     *
     * @param requested the revision as the client spelled it
     */
    record NotOlderThan(long revision, String requested) implements RequestedState {}

    /**
     * Exactly that of a revision, which may still have to arrive. The floor is not checked:
     * replicas have different floors, and any of them may answer the read.
     *
     * @param requested the revision as the client spelled it
     */
    record Exactly(long revision, String requested) implements RequestedState {}

    /**
     * Exactly that of a revision in one epoch. Once a later epoch has begun, the wait ends there,
     * and the answer's epoch shows it.
     */
    record Continued(long epoch, long revision) implements RequestedState {}
}
