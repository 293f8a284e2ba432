package io.tidemark.authentication;

import io.tidemark.authorization.Caller;
import java.time.Instant;

/** The outcome of an authentication. */
public sealed interface Authentication {
    /**
     * The caller is known.
     *
     * @param caller with all groups, {@code system:authenticated} among them
     * @param until when the credentials expire; {@link Instant#MAX} for never
     */
    record Known(Caller caller, Instant until) implements Authentication {}

    /** No credentials that any authenticator reads were presented. */
    record None() implements Authentication {}

    /**
     * Credentials were presented and are wrong or expired: 401, even where anonymous requests are
     * allowed.
     *
     * @param reason for the log, without the credentials
     */
    record Wrong(String reason) implements Authentication {}

    /**
     * Whether the credentials are right could not be found out in time: 503.
     *
     * @param reason for the log, without the credentials
     */
    record Unavailable(String reason) implements Authentication {}
}
