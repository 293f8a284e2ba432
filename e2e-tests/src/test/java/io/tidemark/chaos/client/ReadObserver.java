package io.tidemark.chaos.client;

import io.tidemark.simulation.promise.RecordedRead;

/** Whoever judges what readers got; called by many threads. */
public interface ReadObserver {
    void read(String client, RecordedRead read);

    void read(RecordedGet read);

    /** An answer that breaks the protocol: a 410, or something unreadable. */
    void complaint(String client, String what);
}
