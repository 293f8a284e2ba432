package io.tidemark.simulation.client;

import io.tidemark.query.watch.LiveOutput;
import io.tidemark.query.watch.SerialTurns;
import io.tidemark.query.watch.StepSource;
import io.tidemark.query.watch.WatchPermit;
import io.tidemark.query.watch.WatchRun;
import io.tidemark.query.watch.WatchTurns;
import io.tidemark.query.watch.WatchTurns.ClientCheck;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.watch.Step;
import io.tidemark.serving.watch.WatchCursor;
import io.tidemark.serving.watch.WatchHub;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.request.ObjectChange;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of one watch in virtual time: production's turns, with a delay before each, and
 * over a connection that takes some writes only after a while.
 */
final class ServedWatch {
    private static final Duration NO_CHECKS = Duration.ofHours(1);

    /** Of so many connections that take a write late, two break. */
    private static final int BREAKS = 12;

    /** The client's side. */
    interface Connection {
        /** Whether the node and the connection to it still work. */
        boolean isOpen();

        /** The server sends the line of a change. */
        void onSent(ObjectChange change);

        /** The server has sent all lines of a step. */
        void onTaken(Step step);

        /** Whole revisions have arrived. */
        void onReceived();

        /** The server has ended the watch, or the connection is broken. */
        void onEnded();
    }

    private final World world;
    private final Scheduler scheduler;
    private final WatchHub hub;
    private final WatchCursor cursor;
    private final WatchLines lines;
    private final Connection connection;
    private final boolean slow;
    private final JudgedRequest judged;
    private final SerialTurns serial;
    private final WatchPermit permit;
    private final WatchTurns turns;
    private boolean inside;
    private boolean timed;
    private boolean over;

    /** Whether the connection to the client is broken. */
    private boolean broken;

    /** The step whose lines are being sent. */
    private Optional<Step> current = Optional.empty();

    ServedWatch(
            World world,
            WatchHub hub,
            WatchCursor cursor,
            WatchRun run,
            WatchLines lines,
            Connection connection,
            boolean slow,
            JudgedRequest judged,
            long epoch) {
        this.world = world;
        this.scheduler = world.scheduler();
        this.hub = hub;
        this.cursor = cursor;
        this.lines = lines;
        this.connection = connection;
        this.slow = slow;
        this.serial = new SerialTurns(this::execute, this::turn);
        this.judged = judged;
        this.permit = judged.open(serial::signal, this::end);
        this.turns =
                new WatchTurns(
                        scheduler::nowNanos,
                        new Steps(),
                        run,
                        new Output(),
                        serial::signal,
                        new ClientCheck(NO_CHECKS, () -> {}),
                        permit,
                        epoch);
        cursor.onArrival(serial::signal);
    }

    void begin() {
        permit.open();
        execute(this::catchUp);
    }

    /** It has ended, or the server has cut it off. */
    private void end() {
        if (!over) {
            over = true;
            permit.close();
            connection.onEnded();
        }
    }

    /** After the time that a writer and a client need. */
    private void execute(Runnable task) {
        long delay = slow ? scheduler.between(300, 4_000) : scheduler.between(1, 150);
        if (scheduler.oneIn(slow ? 10 : 100)) {
            scheduler.count(CoverageEvent.CLIENTS_STALLED);
            delay = scheduler.between(2_000, 7_000);
        }
        var unused = scheduler.after(delay, "watch", task);
    }

    private SerialTurns.Next turn() {
        if (over || !connection.isOpen()) {
            end();
            return SerialTurns.Next.HANDED_OVER;
        }
        WatchTurns.Next next;
        try {
            next = turns.turn();
        } catch (IOException e) {
            if (!broken) {
                throw new IllegalStateException(e);
            }
            // What its client has not read is lost.
            lines.drop();
            end();
            return SerialTurns.Next.HANDED_OVER;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        afterTurn(next);
        world.memory().observe(hub);
        if (!turns.isWriting()) {
            receive(next);
        }
        return switch (next) {
            case SIGNAL -> {
                setTimer();
                yield SerialTurns.Next.SIGNAL;
            }
            case TURN -> SerialTurns.Next.TURN;
            case CATCH_UP -> {
                execute(this::catchUp);
                yield SerialTurns.Next.HANDED_OVER;
            }
            case END -> {
                lines.end();
                end();
                yield SerialTurns.Next.HANDED_OVER;
            }
        };
    }

    private void setTimer() {
        if (!timed) {
            timed = true;
            long millis = Duration.ofNanos(turns.waitUntil() - scheduler.nowNanos()).toMillis();
            var unused = scheduler.after(Math.max(1, millis), "watch timer", this::onTime);
        }
    }

    private void onTime() {
        timed = false;
        serial.signal();
    }

    private void catchUp() {
        if (over || !connection.isOpen()) {
            end();
            return;
        }
        WatchTurns.Next next;
        try {
            next = turns.catchUp(lines);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        afterTurn(next);
        world.memory().observe(hub);
        receive(next);
        switch (next) {
            case CATCH_UP -> execute(this::catchUp);
            case END -> {
                lines.end();
                end();
            }
            case TURN, SIGNAL -> serial.resume();
        }
    }

    /** The cursor's, without waits. */
    private final class Steps implements StepSource {
        @Override
        public Optional<Step> poll() throws InterruptedException {
            return taken(cursor.poll());
        }

        @Override
        public boolean hasMore() {
            return cursor.hasMore();
        }

        @Override
        public Optional<Step> catchUp(long untilNanos) throws InterruptedException {
            long lagging = hub.laggingWatches();
            Optional<Step> step;
            try {
                step = cursor.catchUp(scheduler.nowNanos());
            } catch (StatusException e) {
                dropPart();
                throw e;
            }
            if (hub.laggingWatches() > lagging) {
                scheduler.count(CoverageEvent.WATCHES_CAUGHT_UP_FROM_HISTORY);
            }
            return taken(step);
        }

        private Optional<Step> taken(Optional<Step> returned) {
            afterStep();
            Optional<Step> step = returned.map(world.mutation()::step);
            step.ifPresent(each -> {
                if (each instanceof Step.Events events) {
                    events.deliveries().forEach(d -> connection.onSent(d.event().change()));
                }
            });
            current = step;
            return step;
        }
    }

    /** A step that waits for its right has not been sent, nor has one when the right has ended. */
    private void afterTurn(WatchTurns.Next next) {
        if (turns.isHolding()) {
            scheduler.count(CoverageEvent.WATCHES_HELD);
            return;
        }
        // A node that stops does not wait for the rules of the last bookmark.
        boolean stops =
                judged.isLimited() && current.filter(Step.Ended.class::isInstance).isPresent();
        if (judged.isRefused() || (next == WatchTurns.Next.END && stops)) {
            current = Optional.empty();
        }
        afterStep();
    }

    private void afterStep() {
        current.ifPresent(step -> {
            inside = isInside(step);
            if (step instanceof Step.Events) {
                judged.sentEvents();
            }
            connection.onTaken(step);
        });
        current = Optional.empty();
    }

    /** Whole revisions, and the error that ended the watch inside one. */
    private void receive(WatchTurns.Next next) {
        if (!inside) {
            connection.onReceived();
        } else if (next == WatchTurns.Next.END) {
            lines.dropAllButLast();
            connection.onReceived();
        } else {
            scheduler.count(CoverageEvent.REVISIONS_IN_PARTS);
        }
    }

    /** A part of a revision does not count: its client cannot resume after it. */
    private void dropPart() {
        if (inside) {
            inside = false;
            lines.drop();
        }
    }

    private static boolean isInside(Step step) {
        return switch (step) {
            case Step.Events events -> !events.isWhole();
            case Step.NoEvents quiet -> !quiet.isWhole();
            case Step.Ended _ -> false;
        };
    }

    /** Some connections break before they have taken what was written, or right after it. */
    private void written(Consumer<@Nullable Throwable> written, long millis) {
        IOException reset = new IOException("reset");
        if (millis % BREAKS == 0) {
            broken = true;
            scheduler.count(CoverageEvent.CONNECTIONS_BROKEN);
            written.accept(reset);
            return;
        }
        written.accept(null);
        if (millis % BREAKS == 1) {
            broken = true;
            scheduler.count(CoverageEvent.CONNECTIONS_BROKEN);
            turns.fail(reset);
        }
    }

    /** Mostly takes all lines at once. */
    private final class Output implements LiveOutput {
        @Override
        public boolean write(List<byte[]> sent, Consumer<@Nullable Throwable> written) {
            sent.forEach(lines::send);
            switch (lines.coding()) {
                case IDENTITY -> {}
                case GZIP -> scheduler.count(CoverageEvent.LINES_IN_GZIP);
                case ZSTD -> scheduler.count(CoverageEvent.LINES_IN_ZSTD);
            }
            if (!scheduler.oneIn(slow ? 4 : 30)) {
                return true;
            }
            scheduler.count(CoverageEvent.WRITES_INCOMPLETE);
            long millis = slow ? scheduler.between(1, 4_000) : scheduler.between(0, 200);
            var unused = scheduler.after(millis, "written", () -> written(written, millis));
            return false;
        }
    }
}
