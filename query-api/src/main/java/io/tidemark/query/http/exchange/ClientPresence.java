package io.tidemark.query.http.exchange;

import io.tidemark.serving.read.ClientDisconnectedException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import java.time.Duration;

/** Waits for events of a client that could disconnect meanwhile. */
public final class ClientPresence {
    /** Checks of a quiet watch's client, within the time after which a stalled one is cut. */
    private static final int CHECKS = 10;

    private ClientPresence() {}

    /** Time between two checks of a quiet watch's client. */
    public static Duration interval(ServingTimes times) {
        return times.stalledClient().dividedBy(CHECKS);
    }

    /**
     * Waits for a watch's next events and checks its client meanwhile: without events nothing is
     * written that would show that the client has disconnected.
     *
     * @param untilNanos as of {@link System#nanoTime}
     * @param requireClient throws {@link ClientDisconnectedException} when it has disconnected
     */
    public static Step next(
            WatchCursor cursor, long untilNanos, ServingTimes times, Runnable requireClient)
            throws InterruptedException {
        long between = interval(times).toNanos();
        while (true) {
            long left = untilNanos - System.nanoTime();
            if (left <= between) {
                return cursor.next(untilNanos);
            }
            long check = System.nanoTime() + between;
            Step step = cursor.next(check);
            boolean early = System.nanoTime() - check < 0;
            if (early || !(step instanceof Step.NoEvents)) {
                return step;
            }
            requireClient.run();
        }
    }
}
