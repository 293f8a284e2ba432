package io.tidemark.simulation.promise;

/** One request of a client, and its result. */
public sealed interface Observation permits RecordedWatch, RecordedRead {
    /** The epoch of the answer. */
    long epoch();

    /** The newest revision that the client knows from it; 0 for none. */
    long newestRevision();
}
