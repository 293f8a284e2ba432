package io.tidemark.chaos.client;

import io.tidemark.simulation.promise.RecordedRead;

/** Receives what readers got, to check it; called by many threads. */
public interface ReadObserver {
    void read(String client, RecordedRead read);

    void read(RecordedGet read);

    /** An answer that breaks the protocol: a 410, or an unreadable one. */
    void complaint(String client, String what);
}
