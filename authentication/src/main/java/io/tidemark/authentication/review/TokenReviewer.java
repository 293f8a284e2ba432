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
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** Reviews at a time of new tokens, and the same of tokens that were known. */
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
    private final SharedAnswers<TokenDigest, Authentication> answers;
    private final Lane arriving = lane();

    /** Of tokens that were known before: many new ones, perhaps all wrong, do not delay them. */
    private final Lane renewing = lane();

    /** Whether a watch may depend on an answer. */
    private final AtomicBoolean knew = new AtomicBoolean();

    /** Only used by {@link #refresh}. */
    private long checkedNanos;

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
        this.answers =
                new SharedAnswers<>(
                        MAX_CACHED,
                        Known.class::isInstance,
                        TokenReviewer::lifetime,
                        Unavailable::new,
                        nanoTime);
    }

    private static Lane lane() {
        return new Lane("token reviews", MAX_REVIEWS, MAX_WAITING, TURN, WAIT);
    }

    private static Duration lifetime(Authentication found) {
        return switch (found) {
            case Known _ -> KNOWN_FOR;
            case Unavailable _ -> Duration.ZERO;
            default -> WRONG_FOR;
        };
    }

    /** Known, wrong or unavailable: never none. */
    @Override
    public Authentication authenticate(String token) throws InterruptedException {
        Instant until = TokenReview.expiry(token);
        if (!clock.instant().isBefore(until)) {
            return new Authentication.Wrong("the token is expired");
        }
        TokenDigest digest = TokenDigest.of(token);
        Lane lane =
                answers.last(digest).filter(Known.class::isInstance).isPresent()
                        ? renewing
                        : arriving;
        // Who asks is known only from the answer.
        Authentication found =
                answers.get(digest, false, lane, Lane.ANYONE, () -> review(token, until));
        if (found instanceof Known) {
            knew.set(true);
        }
        return found;
    }

    private Authentication review(String token, Instant until) throws InterruptedException {
        try {
            return TokenReview.read(
                    server.create(TokenReview.PATH, TokenReview.request(token)), until);
        } catch (IOException e) {
            return new Unavailable(String.valueOf(e.getMessage()));
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
        long now = nanoTime.getAsLong();
        if (now - checkedNanos >= CHECKED_EVERY.toNanos() && knew.getAndSet(false)) {
            checkedNanos = now;
            signal.raise();
        }
    }
}
