package io.tidemark.connector.check;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What scans of etcd take from the machine that they run on: time and waits. */
public interface ScanRuntime {
    /** This machine. */
    ScanRuntime SYSTEM =
            new ScanRuntime() {
                @Override
                public long nanoTime() {
                    return System.nanoTime();
                }

                @Override
                public void pause(Duration duration) throws InterruptedException {
                    TimeUnit.NANOSECONDS.sleep(duration.toNanos());
                }
            };

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Waits in the calling thread. */
    void pause(Duration duration) throws InterruptedException;
}
