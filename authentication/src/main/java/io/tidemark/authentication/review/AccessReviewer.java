package io.tidemark.authentication.review;

import io.tidemark.authentication.ChangeSignal;
import io.tidemark.authentication.remote.BoundedHttpClient;
import io.tidemark.authentication.remote.OriginServer;
import io.tidemark.authentication.remote.RequestRefusedException;
import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.concurrent.Backoff;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Lets the API server decide: it asks by {@code SubjectAccessReview}, once for concurrent equal
 * questions, and keeps an answer for five minutes if it allows, else for 30 s, as API servers do
 * with webhooks. Requests that go on are asked for again every 30 s: the version moves, and the
 * first of equal questions goes to the API server. If it does not answer, the kept answer counts
 * for its lifetime. Thread-safe.
 */
public final class AccessReviewer implements Authorizer {
    static final Duration ALLOWED_FOR = Duration.ofMinutes(5);
    static final Duration OTHERS_FOR = Duration.ofSeconds(30);

    /** How often requests that go on are judged again. */
    static final Duration CHECKED_EVERY = Duration.ofSeconds(30);

    static final int MAX_CACHED = 10_000;

    /** Reviews at a time for requests that arrive, and the same for those that go on. */
    static final int MAX_REVIEWS = 16;

    /** Arriving requests that wait for a review, or for their turn to ask; of a user a quarter. */
    static final int MAX_WAITING = 256;

    /** Requests that go on and wait likewise; above the number of open watches. */
    static final int MAX_WAITING_AGAIN = 16_384;

    /** Of one review. */
    static final int ATTEMPTS = 3;

    private static final Duration TURN = Duration.ofSeconds(2);
    private static final Duration TURN_AGAIN = Duration.ofSeconds(20);

    /** No attempt begins later than this after the first. */
    private static final Duration ATTEMPTS_WITHIN = Duration.ofSeconds(2);

    private static final Backoff PAUSES =
            new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    private final Server server;
    private final Pause pause;
    private final LongSupplier nanoTime;
    private final ChangeSignal signal = new ChangeSignal();
    private final SharedAnswers<String, Answer> answers;
    private final Lane arriving = lane(MAX_WAITING, TURN);
    private final Lane goingOn = lane(MAX_WAITING_AGAIN, TURN_AGAIN);

    /** Whether an answer differs from the one before. */
    private final AtomicBoolean differs = new AtomicBoolean();

    /** Only used by {@link #refresh}. */
    private long checkedNanos;

    private sealed interface Answer {
        record Decided(Decision decision) implements Answer {}

        record None(String reason) implements Answer {}
    }

    /** Creates objects at the API server. */
    @FunctionalInterface
    interface Server {
        /** As {@link OriginServer#create}. */
        byte[] create(String path, byte[] json) throws IOException, InterruptedException;
    }

    /** Waits between two attempts. */
    @FunctionalInterface
    interface Pause {
        void of(Duration length) throws InterruptedException;
    }

    public AccessReviewer(OriginServer server) {
        this(server::create, Thread::sleep, System::nanoTime);
    }

    AccessReviewer(Server server, Pause pause, LongSupplier nanoTime) {
        this.server = server;
        this.pause = pause;
        this.nanoTime = nanoTime;
        this.checkedNanos = nanoTime.getAsLong();
        this.answers =
                new SharedAnswers<>(
                        MAX_CACHED,
                        AccessReviewer::isGrant,
                        AccessReviewer::lifetime,
                        Answer.None::new,
                        nanoTime);
    }

    /** All attempts and some time for busy machines come on top of the turn. */
    private static Lane lane(int waiting, Duration turn) {
        return new Lane(
                "access reviews",
                MAX_REVIEWS,
                waiting,
                turn,
                turn.plus(ATTEMPTS_WITHIN).plus(BoundedHttpClient.WITHIN).plusSeconds(1));
    }

    private static boolean isGrant(Answer answer) {
        return answer instanceof Answer.Decided(Decision decision) && decision.isAllowed();
    }

    private static Duration lifetime(Answer answer) {
        return switch (answer) {
            case Answer.Decided _ -> isGrant(answer) ? ALLOWED_FOR : OTHERS_FOR;
            case Answer.None _ -> Duration.ZERO;
        };
    }

    @Override
    public Decision decide(Caller caller, RequestAttributes request) throws InterruptedException {
        return decide(caller, request, false);
    }

    @Override
    public Decision decideAgain(Caller caller, RequestAttributes request)
            throws InterruptedException {
        return decide(caller, request, true);
    }

    private Decision decide(Caller caller, RequestAttributes request, boolean again)
            throws InterruptedException {
        byte[] question = AccessReview.request(caller, request);
        String key = digest(question);
        Optional<Answer> before = answers.last(key);
        Answer answer =
                answers.get(
                        key,
                        again,
                        again ? goingOn : arriving,
                        again ? Lane.ANYONE : caller.name(),
                        () -> review(question));
        return switch (answer) {
            case Answer.Decided(Decision decision) -> {
                compare(before, decision);
                yield decision;
            }
            case Answer.None(String reason) -> {
                if (answers.kept(key).orElse(answer) instanceof Answer.Decided(Decision kept)) {
                    yield kept;
                }
                throw new AuthorizerUnavailableException(reason);
            }
        };
    }

    /** Other requests that go on may have been judged by the answer before. */
    private void compare(Optional<Answer> before, Decision decision) {
        if (before.isPresent()
                && before.get() instanceof Answer.Decided(Decision earlier)
                && earlier.isAllowed() != decision.isAllowed()) {
            differs.set(true);
        }
    }

    private Answer review(byte[] question) throws InterruptedException {
        long begun = nanoTime.getAsLong();
        for (int attempt = 1; ; attempt++) {
            try {
                return new Answer.Decided(
                        AccessReview.read(server.create(AccessReview.PATH, question)));
            } catch (IOException e) {
                Duration next = PAUSES.after(attempt, ThreadLocalRandom.current().nextDouble());
                long then = nanoTime.getAsLong() + next.toNanos() - begun;
                if (attempt == ATTEMPTS
                        || e instanceof RequestRefusedException
                        || then > ATTEMPTS_WITHIN.toNanos()) {
                    return new Answer.None(String.valueOf(e.getMessage()));
                }
                pause.of(next);
            }
        }
    }

    private static String digest(byte[] question) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(question));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the JDK has no SHA-256", e);
        }
    }

    /** Decisions do not depend on the mirror. */
    @Override
    public Standing standing() {
        return new Standing(signal.version(), Standing.ANY_EPOCH, Long.MAX_VALUE);
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return signal.onChange(listener);
    }

    /**
     * Moves the version twice a minute if anything listens to it, and soon after an answer that
     * differs from the one before.
     */
    @Override
    public void refresh() {
        long now = nanoTime.getAsLong();
        boolean due = now - checkedNanos >= CHECKED_EVERY.toNanos() && signal.hasListeners();
        if (due) {
            checkedNanos = now;
            answers.nextRound();
        }
        if (differs.getAndSet(false) || due) {
            signal.raise();
        }
    }
}
