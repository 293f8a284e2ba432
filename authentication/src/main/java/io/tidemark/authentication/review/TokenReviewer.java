package io.tidemark.authentication.review;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.ChangeSignal;
import io.tidemark.authentication.TokenAuthenticator;
import io.tidemark.authentication.TokenDigest;
import io.tidemark.authentication.remote.BoundedHttpClient;
import io.tidemark.authentication.remote.OriginServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * Knows the tokens that the API server knows: it asks by {@code TokenReview}, once for concurrent
 * requests with one token, and keeps the answer for two minutes, or ten seconds if the token is
 * wrong. Tokens of open watches are asked for again within that time. Thread-safe.
 */
public final class TokenReviewer implements TokenAuthenticator {
    static final Duration KNOWN_FOR = Duration.ofMinutes(2);
    static final Duration WRONG_FOR = Duration.ofSeconds(10);

    /** How often open watches authenticate again. */
    static final Duration CHECKED_EVERY = Duration.ofSeconds(30);

    static final int MAX_CACHED = 10_000;

    /** Reviews at a time. */
    static final int MAX_REVIEWS = 16;

    /** Requests that wait for a review of their token, or for their turn to ask. */
    static final int MAX_WAITING = 256;

    private static final Duration TURN = Duration.ofSeconds(2);

    /** A turn, a review, and some time for busy machines. */
    private static final Duration WAIT = TURN.plus(BoundedHttpClient.WITHIN).plusSeconds(1);

    private final Server server;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ChangeSignal signal = new ChangeSignal();
    private final Semaphore reviews = new Semaphore(MAX_REVIEWS);
    private final Semaphore waiting = new Semaphore(MAX_WAITING);

    /** Guarded by itself; least recently used first. */
    private final Map<TokenDigest, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);

    /** Guarded by {@code answers}; at most {@link #MAX_WAITING}. */
    private final Map<TokenDigest, CompletableFuture<Authentication>> asking = new HashMap<>();

    /** Guarded by {@code answers}: whether a watch may depend on an answer. */
    private boolean knew;

    /** Guarded by {@code answers}. */
    private long checkedNanos;

    private record Answer(Authentication authentication, long nanos, Duration lifetime) {}

    /** Creates objects at the API server. */
    @FunctionalInterface
    interface Server {
        /** As {@link OriginServer#create}. */
        byte[] create(String path, byte[] json) throws IOException, InterruptedException;
    }

    public TokenReviewer(OriginServer server) {
        this(server::create, InstantSource.system(), System::nanoTime);
    }

    TokenReviewer(Server server, InstantSource clock, LongSupplier nanoTime) {
        this.server = server;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.checkedNanos = nanoTime.getAsLong();
    }

    /** Known, wrong or unavailable: never none. */
    @Override
    public Authentication authenticate(String token) throws InterruptedException {
        Instant until = TokenReview.expiry(token);
        if (!clock.instant().isBefore(until)) {
            return new Authentication.Wrong("the token is expired");
        }
        TokenDigest digest = TokenDigest.of(token);
        CompletableFuture<Authentication> mine = new CompletableFuture<>();
        CompletableFuture<Authentication> shared;
        synchronized (answers) {
            Answer cached = answers.get(digest);
            if (cached != null && isFresh(cached)) {
                knew |= cached.authentication() instanceof Known;
                return cached.authentication();
            }
            if (!waiting.tryAcquire()) {
                return new Unavailable(
                        "%d requests wait for token reviews already".formatted(MAX_WAITING));
            }
            shared = asking.computeIfAbsent(digest, _ -> mine);
        }
        try {
            if (shared == mine) {
                askFor(digest, token, until, mine);
            }
            return shared.get(WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return new Unavailable("no token review in time");
        } finally {
            waiting.release();
        }
    }

    private boolean isFresh(Answer answer) {
        return nanoTime.getAsLong() - answer.nanos() < answer.lifetime().toNanos();
    }

    private void askFor(
            TokenDigest digest,
            String token,
            Instant until,
            CompletableFuture<Authentication> result)
            throws InterruptedException {
        Authentication found = new Unavailable("the token review was interrupted");
        try {
            found = review(token, until);
        } finally {
            synchronized (answers) {
                keep(digest, found);
                asking.remove(digest);
            }
            result.complete(found);
        }
    }

    private Authentication review(String token, Instant until) throws InterruptedException {
        if (!reviews.tryAcquire(TURN.toNanos(), TimeUnit.NANOSECONDS)) {
            return new Unavailable("%d token reviews are running".formatted(MAX_REVIEWS));
        }
        try {
            return TokenReview.read(
                    server.create(TokenReview.PATH, TokenReview.request(token)), until);
        } catch (IOException e) {
            return new Unavailable(String.valueOf(e.getMessage()));
        } finally {
            reviews.release();
        }
    }

    private void keep(TokenDigest digest, Authentication found) {
        answers.remove(digest);
        if (found instanceof Unavailable) {
            return;
        }
        boolean known = found instanceof Known;
        knew |= known;
        answers.put(digest, new Answer(found, nanoTime.getAsLong(), known ? KNOWN_FOR : WRONG_FOR));
        if (answers.size() > MAX_CACHED) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    @Override
    public long version() {
        return signal.version();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        return signal.onChange(listener);
    }

    /**
     * Raises the version twice a minute if a token was known: the API server may say otherwise by
     * now.
     */
    @Override
    public void refresh() {
        boolean due;
        synchronized (answers) {
            long now = nanoTime.getAsLong();
            due = knew && now - checkedNanos >= CHECKED_EVERY.toNanos();
            if (due) {
                checkedNanos = now;
                knew = false;
            }
        }
        if (due) {
            signal.raise();
        }
    }
}
