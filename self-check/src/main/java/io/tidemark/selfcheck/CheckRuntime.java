package io.tidemark.selfcheck;

import java.time.Duration;
import java.time.InstantSource;

/** What a check takes from the machine that it runs on: time and waits. For one thread. */
public interface CheckRuntime {
    InstantSource clock();

    /** The processor time that the calling thread has used so far. */
    long workedNanos();

    /**
     * Waits.
     *
     * @throws InterruptedException when the check shall end
     */
    void pause(Duration duration) throws InterruptedException;
}
