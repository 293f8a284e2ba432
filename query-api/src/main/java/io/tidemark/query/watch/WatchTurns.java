package io.tidemark.query.watch;

import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A watch after its initial events, in turns. While it is live, a turn takes what has come and
 * writes it without blocking. A watch that lags gets what it lacks by {@link #catchUp}, which
 * blocks. The caller repeats the calls, one at a time.
 */
public final class WatchTurns {
    /** What the watch needs next. */
    public enum Next {
        /** A turn after a signal: mail, a write's end, or the time of {@link #waitUntil}. */
        SIGNAL,
        /** Another turn. */
        TURN,
        /** {@link #catchUp}, on a thread that may block. */
        CATCH_UP,
        /** Nothing: it is over, and its last line is written. */
        END
    }

    /**
     * The check of a quiet watch's client: without events nothing is written that would show that
     * it has disconnected.
     *
     * @param require throws {@link io.tidemark.serving.read.ClientDisconnectedException} when it
     *     has disconnected; does not block
     */
    public record ClientCheck(Duration interval, Runnable require) {}

    /** Longest wait for more history, as a right that ends must end the watch. */
    private static final Duration CATCH_UP_WAIT = Duration.ofMillis(500);

    /** Shortest wait for what is due while the watch waits for a write's end or for a right. */
    private static final Duration BLOCKED_WAIT = Duration.ofMillis(500);

    /** Steps of one turn. A watch with more lets other watches have their turns first. */
    private static final int STEPS = 4;

    private final LongSupplier nanoClock;
    private final StepSource source;
    private final WatchRun run;
    private final LiveOutput output;
    private final Runnable signal;
    private final ClientCheck client;
    private final WatchPermit permit;
    private final long epoch;
    private long clientDue;
    private final LineList lines = new LineList();
    private boolean over;

    /** What the step that was judged last tells, see {@link WatchRun#tells}. */
    private long told;

    /** A step that may not be sent yet. */
    private Optional<Step> held = Optional.empty();

    /** Whether a write is incomplete. Any thread clears it, before it signals. */
    private volatile boolean writing;

    private volatile @Nullable Throwable failure;

    /** A watch of a node without access control. */
    public WatchTurns(
            LongSupplier nanoClock,
            StepSource source,
            WatchRun run,
            LiveOutput output,
            Runnable signal,
            ClientCheck client) {
        this(nanoClock, source, run, output, signal, client, WatchPermit.EVERYTHING, 0);
    }

    /**
     * @param nanoClock such as {@link System#nanoTime}
     * @param signal asks for a turn
     * @param permit whose signals ask for a turn too
     * @param epoch of the watch
     */
    public WatchTurns(
            LongSupplier nanoClock,
            StepSource source,
            WatchRun run,
            LiveOutput output,
            Runnable signal,
            ClientCheck client,
            WatchPermit permit,
            long epoch) {
        this.nanoClock = nanoClock;
        this.source = source;
        this.run = run;
        this.output = output;
        this.signal = signal;
        this.client = client;
        this.permit = permit;
        this.epoch = epoch;
        this.clientDue = nanoClock.getAsLong() + client.interval().toNanos();
    }

    /**
     * When a turn is due even if nothing has come, as of the clock. While a write is incomplete or
     * a step waits for its right, that is not now: a bookmark may be overdue, and a signal follows
     * when the watch may go on.
     */
    public long waitUntil() {
        long live = run.waitUntil();
        long due = live - clientDue < 0 ? live : clientDue;
        boolean blocked = writing || held.isPresent();
        long soonest = nanoClock.getAsLong() + BLOCKED_WAIT.toNanos();
        return blocked && due - soonest < 0 ? soonest : due;
    }

    /** Whether a step waits for its right. */
    public boolean isHolding() {
        return held.isPresent();
    }

    /** Whether a write has not been taken by the connection yet. */
    public boolean isWriting() {
        return writing;
    }

    /** Lets the next turn fail; for any thread. */
    public void fail(Throwable cause) {
        failure = cause;
        signal.run();
    }

    /**
     * Takes and writes what has come. Does not block.
     *
     * @throws IOException when the client has disconnected
     * @throws io.tidemark.serving.read.ClientDisconnectedException likewise
     */
    public Next turn() throws IOException, InterruptedException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException("the client has disconnected", cause);
        }
        if (writing) {
            return Next.SIGNAL;
        }
        for (int steps = 0; steps < STEPS && !over; steps++) {
            Optional<Step> step = pollStep();
            if (held.isPresent()) {
                checkClient();
                return Next.SIGNAL;
            }
            if (step.isEmpty()) {
                return Next.CATCH_UP;
            }
            if (!write()) {
                return Next.SIGNAL;
            }
            // What came before the last signals may be more than one step.
            if (!over && step.get() instanceof Step.NoEvents && !source.hasMore()) {
                checkClient();
                return Next.SIGNAL;
            }
        }
        return over ? Next.END : Next.TURN;
    }

    /**
     * Sends the next part of what the watch lacks.
     *
     * @param sink blocks until the client has read enough
     * @return {@link Next#TURN} once the watch is live, or when a turn must wait for its right
     * @throws IOException when the client has disconnected
     * @throws io.tidemark.serving.read.ClientDisconnectedException likewise
     */
    public Next catchUp(EventSink sink) throws IOException, InterruptedException {
        try {
            permit.check();
            if (held.isPresent()) {
                return Next.TURN;
            }
            Optional<Step> step = source.catchUp(catchUpUntil());
            if (step.isEmpty()) {
                return Next.TURN;
            }
            if (step.get() instanceof Step.NoEvents) {
                checkClient();
            }
            if (!mayTake(step.get())) {
                if (step.get() instanceof Step.Ended) {
                    return Next.END;
                }
                held = step;
                return Next.TURN;
            }
            return run.take(step.get(), told, sink) ? Next.CATCH_UP : Next.END;
        } catch (StatusException e) {
            run.end(e, sink);
            return Next.END;
        }
    }

    private long catchUpUntil() {
        long until = waitUntil();
        long most = nanoClock.getAsLong() + CATCH_UP_WAIT.toNanos();
        return permit.isLimited() && most - until < 0 ? most : until;
    }

    /** Empty when the watch must catch up; a step that may not be sent yet is held. */
    private Optional<Step> pollStep() throws IOException, InterruptedException {
        try {
            permit.check();
            Optional<Step> step = held.isPresent() ? held : source.poll();
            held = Optional.empty();
            if (step.isPresent()) {
                if (mayTake(step.get())) {
                    over = !run.take(step.get(), told, lines);
                } else if (step.get() instanceof Step.Ended) {
                    over = true; // Without its last bookmark: the node does not wait for rules.
                } else {
                    held = step;
                }
            }
            return step;
        } catch (StatusException e) {
            held = Optional.empty();
            run.end(e, lines);
            over = true;
            return Optional.of(new Step.Ended());
        }
    }

    private boolean mayTake(Step step) {
        told = run.tells(step);
        return permit.allows(epoch, told);
    }

    /** Whether the connection has taken all lines of the step. */
    private boolean write() throws IOException {
        if (lines.isEmpty()) {
            return true;
        }
        writing = true;
        if (!output.write(lines.take(), this::written)) {
            return false;
        }
        writing = false;
        return true;
    }

    private void written(@Nullable Throwable cause) {
        if (cause != null) {
            failure = cause;
        }
        writing = false;
        signal.run();
    }

    private void checkClient() {
        if (nanoClock.getAsLong() - clientDue >= 0) {
            clientDue = nanoClock.getAsLong() + client.interval().toNanos();
            client.require().run();
        }
    }

    /** Collects the lines of a step. */
    private static final class LineList implements EventSink {
        private List<byte[]> lines = new ArrayList<>();

        @Override
        public void send(byte[] line) {
            lines.add(line);
        }

        @Override
        public void flush() {}

        boolean isEmpty() {
            return lines.isEmpty();
        }

        List<byte[]> take() {
            List<byte[]> taken = lines;
            lines = new ArrayList<>();
            return taken;
        }
    }
}
