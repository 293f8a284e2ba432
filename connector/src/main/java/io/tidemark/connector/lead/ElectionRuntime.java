package io.tidemark.connector.lead;

import java.time.Duration;

/**
 * What an election takes from the machine that it runs on. The simulation replaces it by virtual
 * time.
 */
public interface ElectionRuntime {
    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Waits, at most until the election is to end. */
    void pause(Duration duration) throws InterruptedException;

    /** Whether the election is to end. */
    boolean isClosing();

    /** From 0 to 1. */
    double random();

    /** For how long etcd has not answered; close to zero while it answers. */
    Duration etcdUnreachableFor();
}
