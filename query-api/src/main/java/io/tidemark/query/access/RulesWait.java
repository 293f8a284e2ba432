package io.tidemark.query.access;

import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.serving.read.ReadPoint;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What one request waits for once its state has arrived: rules that are as new as that state, and
 * as the newest state that was known when the request came. Then the request is judged again.
 * {@link #poll} never waits, so that a thread may wait between its calls, or virtual time may pass.
 * For one thread.
 */
public final class RulesWait {
    private final Permit permit;
    private final State known;
    private final State shown;
    private final LongSupplier nanoClock;
    private final long deadline;

    private record State(long epoch, long revision) {}

    /**
     * Begins now.
     *
     * @param known the state of the request's partitions when it came: also an old state is judged
     *     by the rules of the newest one
     * @param point the state that has arrived
     * @param patience longest wait
     * @param nanoClock such as {@link System#nanoTime}
     */
    public RulesWait(
            Permit permit,
            PartitionSetStatus known,
            ReadPoint point,
            Duration patience,
            LongSupplier nanoClock) {
        this(
                permit,
                new State(known.epoch(), known.watermark()),
                new State(point.epoch(), point.revision()),
                patience,
                nanoClock);
    }

    private RulesWait(
            Permit permit, State known, State shown, Duration patience, LongSupplier nanoClock) {
        this.permit = permit;
        this.known = known;
        this.shown = shown;
        this.nanoClock = nanoClock;
        this.deadline = nanoClock.getAsLong() + patience.toNanos();
    }

    /**
     * Begins to wait for the rules as of one revision.
     *
     * @param patience longest wait
     * @param nanoClock such as {@link System#nanoTime}
     */
    public static RulesWait through(
            Permit permit, long epoch, long revision, Duration patience, LongSupplier nanoClock) {
        State state = new State(epoch, revision);
        return new RulesWait(permit, state, state, patience, nanoClock);
    }

    /**
     * Goes on as far as it can without a wait for rules.
     *
     * @return whether the request may be answered
     * @throws StatusException 504 when the rules did not arrive in time, and others of {@link
     *     Permit#require}
     * @throws InterruptedException if another server had to be asked
     */
    public boolean poll() throws InterruptedException {
        if (isCovered()) {
            permit.require();
            // The judgement may have used rules that newer ones replaced before this looks again,
            // or none, for a caller who has lost the right that needs none.
            if (isCovered() && permit.isCurrent()) {
                return true;
            }
        }
        if (leftNanos() <= 0) {
            throw StatusErrors.requestTimedOut();
        }
        return false;
    }

    private boolean isCovered() {
        return permit.covers(known.epoch(), known.revision())
                && permit.covers(shown.epoch(), shown.revision());
    }

    /** Waits until {@link #poll} gets further; needs the system's clock. */
    public void park() throws InterruptedException {
        park(known);
        park(shown);
    }

    private void park(State state) throws InterruptedException {
        CountDownLatch covered = new CountDownLatch(1);
        Runnable end = permit.onceCovered(state.epoch(), state.revision(), covered::countDown);
        try {
            boolean _ = covered.await(leftNanos(), TimeUnit.NANOSECONDS); // poll() looks at it.
        } finally {
            end.run();
        }
    }

    private long leftNanos() {
        return deadline - nanoClock.getAsLong();
    }
}
