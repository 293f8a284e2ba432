package io.tidemark.authentication.review;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Answers of another server. Concurrent equal questions are asked once, and an answer is kept for
 * its lifetime, in a bounded number. Answers belong to rounds: a caller that needs one of the
 * current round asks again, and shares that answer too. Thread-safe.
 *
 * @param <K> a question; digests keep the memory bounded
 * @param <A> an answer, or why there is none
 */
final class SharedAnswers<K, A> {
    private final int most;
    private final Function<A, Duration> lifetime;
    private final Function<String, A> none;
    private final LongSupplier nanoTime;

    /** Guarded by itself; least recently used first. */
    private final Map<K, Kept<A>> answers = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by {@code answers}; bounded by those that wait in lanes. */
    private final Map<K, CompletableFuture<A>> asking = new HashMap<>();

    /** Guarded by {@code answers}. */
    private long round;

    private record Kept<A>(A answer, long nanos, Duration lifetime, long round) {}

    /**
     * @param most answers that are kept
     * @param lifetime how long an answer counts; zero if it is not kept
     * @param none an answer that says why there is none
     */
    SharedAnswers(
            int most,
            Function<A, Duration> lifetime,
            Function<String, A> none,
            LongSupplier nanoTime) {
        this.most = most;
        this.lifetime = lifetime;
        this.none = none;
        this.nanoTime = nanoTime;
    }

    /** Asks the server; the answer says so if it does not answer. */
    @FunctionalInterface
    interface Question<A> {
        A ask() throws InterruptedException;
    }

    /**
     * Bounds the questions of one kind, so that those of another kind do not wait for them.
     *
     * @param what is asked, in the plural
     * @param running at a time
     * @param waiting callers that wait for an answer or for their turn to ask
     * @param turn longest wait for a turn
     * @param longest wait for an answer, the turn included
     */
    static final class Lane {
        private final String what;
        private final int running;
        private final Semaphore turns;
        private final int most;
        private final Semaphore waiting;
        private final Duration turn;
        private final Duration longest;

        Lane(String what, int running, int waiting, Duration turn, Duration longest) {
            this.what = what;
            this.running = running;
            this.turns = new Semaphore(running);
            this.most = waiting;
            this.waiting = new Semaphore(waiting);
            this.turn = turn;
            this.longest = longest;
        }
    }

    /** An answer that still counts, of any round. */
    Optional<A> kept(K key) {
        synchronized (answers) {
            return Optional.ofNullable(answers.get(key)).filter(this::counts).map(Kept::answer);
        }
    }

    /** The last answer, even if it counts no more. */
    Optional<A> last(K key) {
        synchronized (answers) {
            return Optional.ofNullable(answers.get(key)).map(Kept::answer);
        }
    }

    /** Begins a new round. */
    void nextRound() {
        synchronized (answers) {
            round++;
        }
    }

    /**
     * The kept answer, else a new one.
     *
     * @param current whether an answer of an earlier round does not suffice
     */
    A get(K key, boolean current, Lane lane, Question<A> question) throws InterruptedException {
        CompletableFuture<A> mine = new CompletableFuture<>();
        CompletableFuture<A> shared;
        long begun;
        synchronized (answers) {
            Kept<A> found = answers.get(key);
            if (found != null && counts(found) && !(current && found.round() < round)) {
                return found.answer();
            }
            if (!lane.waiting.tryAcquire()) {
                return none.apply(
                        "%d requests wait for %s already".formatted(lane.most, lane.what));
            }
            shared = asking.computeIfAbsent(key, _ -> mine);
            begun = round;
        }
        try {
            if (shared == mine) {
                ask(key, begun, lane, question, mine);
            }
            return shared.get(lane.longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException _) {
            return none.apply("no answer in time");
        } finally {
            lane.waiting.release();
        }
    }

    private boolean counts(Kept<A> found) {
        return nanoTime.getAsLong() - found.nanos() < found.lifetime().toNanos();
    }

    private void ask(
            K key, long begun, Lane lane, Question<A> question, CompletableFuture<A> result)
            throws InterruptedException {
        A found = none.apply("the request was interrupted");
        try {
            found = inTurn(lane, question);
        } finally {
            synchronized (answers) {
                keep(key, found, begun);
                asking.remove(key);
            }
            result.complete(found);
        }
    }

    private A inTurn(Lane lane, Question<A> question) throws InterruptedException {
        if (!lane.turns.tryAcquire(lane.turn.toNanos(), TimeUnit.NANOSECONDS)) {
            return none.apply("%d %s are running".formatted(lane.running, lane.what));
        }
        try {
            return question.ask();
        } finally {
            lane.turns.release();
        }
    }

    /** An answer that is none replaces nothing: the last one may still count. */
    private void keep(K key, A found, long begun) {
        Duration counts = lifetime.apply(found);
        if (!counts.isPositive()) {
            return;
        }
        answers.remove(key);
        answers.put(key, new Kept<>(found, nanoTime.getAsLong(), counts, begun));
        if (answers.size() > most) {
            answers.remove(answers.keySet().iterator().next());
        }
    }
}
