package io.tidemark.authentication.review;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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
    private final Predicate<A> isGrant;
    private final Function<A, Duration> lifetime;
    private final Function<String, A> none;
    private final LongSupplier nanoTime;

    /** Answers that grant; least recently used first. Guarded by {@code this}. */
    private final Map<K, Kept<A>> grants = new LinkedHashMap<>(16, 0.75f, true);

    /** All others, which anyone can ask for: they displace no grants. Guarded likewise. */
    private final Map<K, Kept<A>> refusals = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by {@code this}; bounded by those that wait in lanes. */
    private final Map<K, CompletableFuture<A>> asking = new HashMap<>();

    /** Guarded by {@code this}. */
    private long round;

    private record Kept<A>(A answer, long nanos, Duration lifetime, long round) {}

    /**
     * @param most answers that are kept of those that grant, and the same of the others
     * @param isGrant whether an answer grants what was asked for
     * @param lifetime how long an answer counts; zero if it is not kept
     * @param none an answer that says why there is none
     */
    SharedAnswers(
            int most,
            Predicate<A> isGrant,
            Function<A, Duration> lifetime,
            Function<String, A> none,
            LongSupplier nanoTime) {
        this.most = most;
        this.isGrant = isGrant;
        this.lifetime = lifetime;
        this.none = none;
        this.nanoTime = nanoTime;
    }

    /** Asks the server; the answer says so if it does not answer. */
    @FunctionalInterface
    interface Question<A> {
        A ask() throws InterruptedException;
    }

    /** An answer that still counts, of any round. */
    synchronized Optional<A> kept(K key) {
        return Optional.ofNullable(find(key)).filter(this::counts).map(Kept::answer);
    }

    /** The last answer, even if it counts no more. */
    synchronized Optional<A> last(K key) {
        return Optional.ofNullable(find(key)).map(Kept::answer);
    }

    private @Nullable Kept<A> find(K key) {
        Kept<A> grant = grants.get(key);
        return grant == null ? refusals.get(key) : grant;
    }

    /** Begins a new round. */
    synchronized void nextRound() {
        round++;
    }

    /**
     * The kept answer, else a new one.
     *
     * @param current whether an answer of an earlier round does not suffice
     * @param asker see {@link Lane#enter}
     */
    A get(K key, boolean current, Lane lane, String asker, Question<A> question)
            throws InterruptedException {
        CompletableFuture<A> mine = new CompletableFuture<>();
        CompletableFuture<A> shared;
        long begun;
        synchronized (this) {
            Kept<A> found = find(key);
            if (found != null && counts(found) && !(current && found.round() < round)) {
                return found.answer();
            }
            Optional<String> refused = lane.enter(asker);
            if (refused.isPresent()) {
                return none.apply(refused.get());
            }
            shared = asking.computeIfAbsent(key, _ -> mine);
            begun = round;
        }
        try {
            if (shared == mine) {
                ask(key, begun, lane, question, mine);
            }
            return shared.get(lane.longest().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException _) {
            return none.apply("no answer in time");
        } finally {
            lane.leave(asker);
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
            synchronized (this) {
                keep(key, found, begun);
                asking.remove(key);
            }
            result.complete(found);
        }
    }

    private A inTurn(Lane lane, Question<A> question) throws InterruptedException {
        Optional<String> refused = lane.begin();
        if (refused.isPresent()) {
            return none.apply(refused.get());
        }
        try {
            return question.ask();
        } finally {
            lane.end();
        }
    }

    /** An answer that is none replaces nothing: the last one may still count. */
    private void keep(K key, A found, long begun) {
        Duration counts = lifetime.apply(found);
        if (!counts.isPositive()) {
            return;
        }
        grants.remove(key);
        refusals.remove(key);
        Map<K, Kept<A>> kept = isGrant.test(found) ? grants : refusals;
        kept.put(key, new Kept<>(found, nanoTime.getAsLong(), counts, begun));
        if (kept.size() > most) {
            kept.remove(kept.keySet().iterator().next());
        }
    }
}
