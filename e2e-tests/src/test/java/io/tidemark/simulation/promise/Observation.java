package io.tidemark.simulation.promise;

/** One request of a client, with what came of it. */
public sealed interface Observation permits RecordedWatch, RecordedRead {
    /** That it was answered in. */
    long epoch();

    /** The newest revision that the client knows from it; 0 for none. */
    long newestRevision();
}
