package io.tidemark.simulation.promise;

/** One request of a client, and its result. */
public sealed interface Observation permits RecordedWatch, RecordedRead {
    /** Number of etcd's history that the answer shows. */
    long epoch();

    /** The mirror's epoch of the answer, which has its own gaps; 0 for no certain one. */
    long mirrorEpoch();

    /** The newest revision that the client knows from it; 0 for none. */
    long newestRevision();
}
