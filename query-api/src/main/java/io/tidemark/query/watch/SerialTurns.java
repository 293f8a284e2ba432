package io.tidemark.query.watch;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Runs the turns of one watch, one at a time. A turn begins after every signal, so that what a
 * signal announces is never missed; signals before it begins share it. Thread-safe.
 */
public final class SerialTurns {
    /** What follows a turn. */
    public enum Next {
        /** The turn after the next signal. */
        SIGNAL,
        /** Another turn, once other watches had theirs. */
        TURN,
        /** No turn before {@link #resume}: another thread has the watch. */
        HANDED_OVER
    }

    private final Executor executor;
    private final Supplier<Next> turn;
    private final Runnable run = this::run;

    /** Signals that no turn has answered yet; above 0 while a turn runs or is due. */
    private final AtomicInteger signals = new AtomicInteger(1);

    /**
     * Begins handed over: the first turn comes after {@link #resume}.
     *
     * @param executor runs each turn
     */
    public SerialTurns(Executor executor, Supplier<Next> turn) {
        this.executor = executor;
        this.turn = turn;
    }

    /** Asks for a turn. Returns at once. */
    public void signal() {
        if (signals.getAndIncrement() == 0) {
            executor.execute(run);
        }
    }

    /** Asks for a turn after the watch was handed over; by the thread that has it. */
    public void resume() {
        executor.execute(run);
    }

    private void run() {
        int answered = signals.get();
        switch (turn.get()) {
            case SIGNAL -> {
                if (signals.addAndGet(-answered) > 0) {
                    executor.execute(run);
                }
            }
            case TURN -> executor.execute(run);
            case HANDED_OVER -> {}
        }
    }
}
