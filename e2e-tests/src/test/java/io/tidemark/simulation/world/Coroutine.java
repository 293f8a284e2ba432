package io.tidemark.simulation.world;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocking code as part of a simulation. It runs in the simulation's thread; while it waits, other
 * events happen. It can be paused, as a process by SIGSTOP, and killed wherever it waits: then it
 * never continues, and none of its {@code finally} blocks run.
 */
public final class Coroutine {
    private final Scheduler scheduler;
    private final String name;
    private final Continuation continuation;
    private @Nullable RuntimeException failure;
    private boolean running;
    private boolean paused;
    private boolean killed;

    /** Number of the current wait, so that a wake-up of an earlier one has no effect. */
    private long wait;

    private boolean isWaitingForSignal;
    private boolean isWakeUpDue;

    public Coroutine(Scheduler scheduler, String name, Runnable body) {
        this.scheduler = scheduler;
        this.name = name;
        this.continuation =
                new Continuation(() -> {
                    try {
                        body.run();
                    } catch (RuntimeException e) {
                        failure = e;
                    }
                });
    }

    /** Begins to run, as a separate event. */
    public void start() {
        wakeAfter(0);
    }

    /** Whether the calling code is part of it. */
    public boolean isRunning() {
        return running;
    }

    /** Waits, and lets other events happen. */
    public void sleep(long millis) {
        Scheduler.Handle timer = wakeAfter(millis);
        suspend();
        timer.cancel();
    }

    /**
     * Waits for a condition, which is evaluated at the beginning, after each {@link #signal}, and
     * at the end.
     *
     * @return whether it holds
     */
    public boolean await(BooleanSupplier condition, long maxMillis) {
        long until = scheduler.nowMillis() + maxMillis;
        while (!condition.getAsBoolean()) {
            long left = until - scheduler.nowMillis();
            if (left <= 0) {
                return false;
            }
            Scheduler.Handle timer = wakeAfter(left);
            isWaitingForSignal = true;
            suspend();
            timer.cancel();
        }
        return true;
    }

    /** A condition that it may wait for has changed. */
    public void signal() {
        if (isWaitingForSignal) {
            isWaitingForSignal = false;
            var unused = wakeAfter(0);
        }
    }

    public void pause(boolean now) {
        paused = now;
        if (!now && isWakeUpDue) {
            isWakeUpDue = false;
            var unused = wakeAfter(0);
        }
    }

    public boolean isPaused() {
        return paused;
    }

    /** It never continues. */
    public void kill() {
        killed = true;
    }

    public boolean isKilled() {
        return killed;
    }

    private Scheduler.Handle wakeAfter(long millis) {
        long current = wait;
        return scheduler.after(millis, name, () -> wakeUp(current));
    }

    private void suspend() {
        if (!running) {
            throw new IllegalStateException("only the coroutine itself may wait");
        }
        Continuation.suspend();
    }

    private void wakeUp(long ofWait) {
        if (killed || ofWait != wait) {
            return;
        }
        if (paused) {
            isWakeUpDue = true;
            return;
        }
        wait++;
        isWaitingForSignal = false;
        running = true;
        try {
            continuation.run();
        } finally {
            running = false;
        }
        if (failure != null) {
            throw failure;
        }
    }
}
