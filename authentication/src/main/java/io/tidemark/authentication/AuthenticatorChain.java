package io.tidemark.authentication;

import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.None;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authorization.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks several authenticators: client certificates first, then bearer tokens, each in the given
 * order. The first one that knows the caller counts.
 */
public final class AuthenticatorChain implements Authenticator {
    private static final String ANONYMOUS = "system:anonymous";
    private static final String AUTHENTICATED = "system:authenticated";
    private static final String UNAUTHENTICATED = "system:unauthenticated";

    /** Above what any issuer makes; a longer one is refused before it is read. */
    static final int MAX_TOKEN_CHARS = 32 << 10;

    private final List<Authenticator> others;
    private final List<TokenAuthenticator> tokens;
    private final boolean anonymous;

    /**
     * @param others asked before tokens are read, such as those of certificates
     * @param anonymous whether requests without credentials are those of {@code system:anonymous};
     *     otherwise they have no caller
     */
    public AuthenticatorChain(
            List<? extends Authenticator> others,
            List<? extends TokenAuthenticator> tokens,
            boolean anonymous) {
        this.others = List.copyOf(others);
        this.tokens = List.copyOf(tokens);
        this.anonymous = anonymous;
    }

    @Override
    public Authentication authenticate(Credentials credentials) throws InterruptedException {
        List<Authentication> failed = new ArrayList<>();
        for (Authenticator each : others) {
            Authentication found = each.authenticate(credentials);
            if (found instanceof Known known) {
                return withGroup(known);
            }
            failed.add(found);
        }
        Optional<String> token = BearerToken.of(credentials.authorization());
        if (token.isPresent()) {
            Authentication found = ofToken(token.get());
            if (found instanceof Known known) {
                return withGroup(known);
            }
            failed.add(found);
        }
        return worst(failed)
                .orElseGet(() ->
                        anonymous
                                ? new Known(
                                        new Caller(ANONYMOUS, List.of(UNAUTHENTICATED)),
                                        Instant.MAX)
                                : new None());
    }

    /** Never {@link None}: a token that no authenticator knows is wrong. */
    private Authentication ofToken(String token) throws InterruptedException {
        if (token.length() > MAX_TOKEN_CHARS) {
            return new Wrong("the bearer token is too long");
        }
        List<Authentication> failed = new ArrayList<>();
        for (TokenAuthenticator each : tokens) {
            Authentication found = each.authenticate(token);
            if (found instanceof Known) {
                return found;
            }
            failed.add(found);
        }
        return worst(failed).orElseGet(() -> new Wrong("the bearer token is unknown"));
    }

    /**
     * What to answer if no authenticator knows the caller. If one could not decide, the credentials
     * may be right: they must not be called wrong.
     */
    private static Optional<Authentication> worst(List<Authentication> failed) {
        Optional<Authentication> unavailable =
                failed.stream().filter(Unavailable.class::isInstance).findFirst();
        return unavailable.isPresent()
                ? unavailable
                : failed.stream().filter(Wrong.class::isInstance).findFirst();
    }

    /**
     * Adds {@code system:authenticated}, except to who is known as anonymous or unauthenticated, as
     * upstream.
     */
    private static Known withGroup(Known known) {
        Caller caller = known.caller();
        if (caller.name().equals(ANONYMOUS)
                || caller.groups().contains(AUTHENTICATED)
                || caller.groups().contains(UNAUTHENTICATED)) {
            return known;
        }
        List<String> groups = new ArrayList<>(caller.groups());
        groups.add(AUTHENTICATED);
        return new Known(
                new Caller(caller.name(), caller.uid(), groups, caller.extra()), known.until());
    }

    @Override
    public long version() {
        // Each one only rises, so the sum moves whenever one does.
        return others.stream().mapToLong(Authenticator::version).sum()
                + tokens.stream().mapToLong(TokenAuthenticator::version).sum();
    }

    @Override
    public Runnable onChange(Runnable listener) {
        List<Runnable> ends = new ArrayList<>();
        others.forEach(each -> ends.add(each.onChange(listener)));
        tokens.forEach(each -> ends.add(each.onChange(listener)));
        return () -> ends.forEach(Runnable::run);
    }

    @Override
    public void refresh() {
        others.forEach(Authenticator::refresh);
        tokens.forEach(TokenAuthenticator::refresh);
    }
}
