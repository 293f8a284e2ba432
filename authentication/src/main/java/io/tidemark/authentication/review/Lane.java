package io.tidemark.authentication.review;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Bounds the questions of one kind, so that those of another kind do not wait for them.
 * Thread-safe.
 */
final class Lane {
    /** An asker that is unknown, or bounded elsewhere: it may have all places. */
    static final String ANYONE = "";

    /** Any other asker has no more than this part of the places. */
    private static final int SHARE = 4;

    private final String what;
    private final int running;
    private final Semaphore turns;
    private final int most;
    private final Duration turn;
    private final Duration longest;

    /** How many callers wait, by whom they ask for; guarded by itself. */
    private final Map<String, Integer> waiting = new HashMap<>();

    /** Guarded by {@link #waiting}. */
    private int waitingInAll;

    /**
     * @param what is asked, in the plural
     * @param running at a time
     * @param most callers that wait for an answer or for their turn to ask
     * @param turn longest wait for a turn
     * @param longest wait for an answer, the turn included
     */
    Lane(String what, int running, int most, Duration turn, Duration longest) {
        this.what = what;
        this.running = running;
        this.turns = new Semaphore(running);
        this.most = most;
        this.turn = turn;
        this.longest = longest;
    }

    /** Longest wait for an answer. */
    Duration longest() {
        return longest;
    }

    /**
     * Takes a place; {@link #leave} gives it back.
     *
     * @param asker who has a quarter of the places at most, or {@link #ANYONE}
     * @return why there is no place
     */
    Optional<String> enter(String asker) {
        synchronized (waiting) {
            int own = waiting.getOrDefault(asker, 0);
            if (waitingInAll >= most) {
                return Optional.of("%d requests wait for %s already".formatted(most, what));
            }
            if (!asker.equals(ANYONE) && own >= Math.ceilDiv(most, SHARE)) {
                return Optional.of(
                        "%d requests of this user wait for %s already".formatted(own, what));
            }
            waiting.put(asker, own + 1);
            waitingInAll++;
            return Optional.empty();
        }
    }

    void leave(String asker) {
        synchronized (waiting) {
            waiting.computeIfPresent(asker, (_, own) -> own == 1 ? null : own - 1);
            waitingInAll--;
        }
    }

    /**
     * Waits for a turn; {@link #end} ends it.
     *
     * @return why none came in time
     */
    Optional<String> begin() throws InterruptedException {
        return turns.tryAcquire(turn.toNanos(), TimeUnit.NANOSECONDS)
                ? Optional.empty()
                : Optional.of("%d %s are running".formatted(running, what));
    }

    void end() {
        turns.release();
    }
}
