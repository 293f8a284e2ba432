package io.tidemark.query.http.access;

import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authenticator;
import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.Authorizer;
import io.tidemark.authorization.AuthorizerUnavailableException;
import io.tidemark.authorization.Caller;
import io.tidemark.authorization.Decision;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization;
import io.tidemark.serving.status.StatusException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges requests: authenticates the caller, lets them impersonate another one if they may, and
 * asks the authorizer. {@link #admit} returns the right of one request, which is judged again
 * whenever credentials or rules have changed.
 */
public final class AccessControl {
    private static final Logger LOG = LoggerFactory.getLogger(AccessControl.class);

    /** Whether members of system:masters may do everything, even if no mirrored rule allows it. */
    public static final boolean MASTERS_PASS = true;

    /** The caller where callers are not authenticated. */
    public static final Caller ANONYMOUS =
            new Caller("system:anonymous", List.of("system:unauthenticated"));

    private final boolean open;
    private final Optional<Authenticator> authenticator;
    private final Authorizer authorizer;
    private final InstantSource clock;

    private AccessControl(
            boolean open,
            Optional<Authenticator> authenticator,
            Authorizer authorizer,
            InstantSource clock) {
        this.open = open;
        this.authenticator = authenticator;
        this.authorizer = authorizer;
        this.clock = clock;
    }

    /**
     * @param mirrored makes the authorizer that decides by the mirrored cluster's rules
     * @param clock compared with the expiry of credentials
     */
    public static AccessControl of(
            AccessSettings settings,
            Function<Authorization.Mirrored, Authorizer> mirrored,
            InstantSource clock) {
        return switch (settings.authorization()) {
            case Authorization.None _ ->
                    new AccessControl(
                            settings.authenticator().isEmpty(),
                            settings.authenticator(),
                            new AllowAll(),
                            clock);
            case Authorization.Mirrored rules ->
                    new AccessControl(
                            false, settings.authenticator(), mirrored.apply(rules), clock);
            case Authorization.Given(Authorizer given) ->
                    new AccessControl(false, settings.authenticator(), given, clock);
        };
    }

    /** Whether every request is allowed, and none is looked at. */
    public boolean isOpen() {
        return open;
    }

    /** Decides for admitted callers, also in their questions about themselves. */
    public Authorizer authorizer() {
        return authorizer;
    }

    /** The same for requests that go on, whose rules have changed or may have. */
    AccessControl again() {
        return new AccessControl(open, authenticator, new Again(authorizer), clock);
    }

    /**
     * Judges a request for the first time.
     *
     * @throws StatusException 401, 403, 400 for impossible impersonation, 503 if it cannot be
     *     judged now
     */
    public RequestPermit admit(AccessRequest request) throws InterruptedException {
        RequestPermit permit = new RequestPermit(this, request);
        permit.judge();
        return permit;
    }

    /** Whether a request presents credentials that are known or wrong, but not missing. */
    public boolean isIdentified(Credentials credentials) throws InterruptedException {
        return authenticator.isEmpty()
                || !(authenticator.get().authenticate(credentials) instanceof Authentication.None);
    }

    /** A caller, and when their credentials expire. */
    record Identity(Caller caller, Instant until) {}

    /**
     * @throws StatusException 401, or 503 if it cannot be found out
     */
    Identity identify(Credentials credentials) throws InterruptedException {
        if (authenticator.isEmpty()) {
            return new Identity(ANONYMOUS, Instant.MAX);
        }
        return switch (authenticator.get().authenticate(credentials)) {
            case Authentication.Known(Caller caller, Instant until) -> {
                if (isOver(until)) {
                    throw AccessErrors.unauthorized();
                }
                yield new Identity(caller, until);
            }
            case Authentication.None _ -> throw AccessErrors.unauthorized();
            case Authentication.Wrong(String reason) -> {
                LOG.debug("refused credentials: {}", reason);
                throw AccessErrors.unauthorized();
            }
            case Authentication.Unavailable(String reason) -> {
                LOG.debug("cannot authenticate: {}", reason);
                throw AccessErrors.unavailable("authentication");
            }
        };
    }

    /**
     * @throws StatusException 403, or 503 if it cannot be decided
     */
    Decision require(Caller caller, RequestAttributes request) throws InterruptedException {
        Decision decision = decide(caller, request);
        if (!decision.isAllowed()) {
            throw AccessErrors.forbidden(caller, request, decision.reason());
        }
        return decision;
    }

    /**
     * @throws StatusException 503 if it cannot be decided
     */
    public Decision decide(Caller caller, RequestAttributes request) throws InterruptedException {
        try {
            return authorizer.decide(caller, request);
        } catch (AuthorizerUnavailableException e) {
            LOG.debug("cannot authorize", e);
            throw AccessErrors.unavailable("authorization");
        }
    }

    boolean isOver(Instant until) {
        return !until.equals(Instant.MAX) && !clock.instant().isBefore(until);
    }

    long authenticatorVersion() {
        return authenticator.map(Authenticator::version).orElse(0L);
    }

    Runnable onChange(Runnable listener) {
        Runnable endRules = authorizer.onChange(listener);
        Runnable endCredentials =
                authenticator.map(source -> source.onChange(listener)).orElse(() -> {});
        return () -> {
            endRules.run();
            endCredentials.run();
        };
    }

    /** Decides as for requests that go on. */
    private record Again(Authorizer authorizer) implements Authorizer {
        @Override
        public Decision decide(Caller caller, RequestAttributes request)
                throws InterruptedException {
            return authorizer.decideAgain(caller, request);
        }

        @Override
        public Standing standing() {
            return authorizer.standing();
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return authorizer.onChange(listener);
        }
    }

    /** Allows everything to known callers. */
    private static final class AllowAll implements Authorizer {
        private static final Decision ALLOWED = Decision.allowed(() -> "");
        private static final Standing STANDING =
                new Standing(0, Standing.ANY_EPOCH, Long.MAX_VALUE);

        @Override
        public Decision decide(Caller caller, RequestAttributes request) {
            return ALLOWED;
        }

        @Override
        public Standing standing() {
            return STANDING;
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return () -> {};
        }
    }
}
