package io.tidemark.query.access;

import io.tidemark.authentication.Authenticator;
import io.tidemark.authorization.Authorizer;
import java.time.Duration;
import java.util.Optional;

/**
 * How a node decides who may read what.
 *
 * @param authenticator finds out who asks; empty if callers are not authenticated
 * @param authorization decides what they may read
 */
public record AccessSettings(
        Optional<Authenticator> authenticator, AccessSettings.Authorization authorization) {
    /** Everybody who reaches the port may read everything that the node shows. */
    public static final AccessSettings OPEN =
            new AccessSettings(Optional.empty(), new Authorization.None());

    /** Who decides. */
    public sealed interface Authorization {
        /** Every request is allowed. */
        record None() implements Authorization {}

        /**
         * The roles and bindings of the mirrored cluster.
         *
         * @param maximumAge of the rules; with older ones only {@code system:masters} may read
         */
        record Mirrored(Duration maximumAge) implements Authorization {}

        /** Something that does not depend on the mirror. */
        record Given(Authorizer authorizer) implements Authorization {}
    }
}
