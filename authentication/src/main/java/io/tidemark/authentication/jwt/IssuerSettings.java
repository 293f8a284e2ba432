package io.tidemark.authentication.jwt;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who issues tokens, and what they mean.
 *
 * @param url the exact claim {@code iss}
 * @param audiences of which the claim {@code aud} must name one
 * @param keys where the keys that sign are
 * @param mapping what the claims mean
 */
record IssuerSettings(String url, Set<String> audiences, Keys keys, Mapping mapping) {
    IssuerSettings {
        audiences = Set.copyOf(audiences);
    }

    /** Where the keys come from. */
    sealed interface Keys {
        /** Given once and for all. */
        record Fixed(VerificationKeys keys) implements Keys {}

        /**
         * Published by the issuer.
         *
         * @param document the URL of its OpenID configuration
         * @param authorities PEM certificates of its server's authorities; empty for those that the
         *     JDK trusts
         */
        record Discovered(URI document, String authorities) implements Keys {}
    }

    /** What claims mean. */
    sealed interface Mapping {
        /**
         * A user of an OpenID Connect provider.
         *
         * @param groups empty if tokens name no groups
         * @param uidClaim empty for no uid
         * @param required values that claims must have
         */
        record User(
                Prefixed username,
                Optional<Prefixed> groups,
                String uidClaim,
                Map<String, String> required)
                implements Mapping {
            public User {
                required = Map.copyOf(required);
            }
        }

        /** A ServiceAccount of the mirrored cluster. */
        record ServiceAccount() implements Mapping {}
    }

    /** A claim, and what is put before its values. */
    record Prefixed(String claim, String prefix) {}

    /** All issuers of a file. */
    record File(List<IssuerSettings> issuers) {
        File {
            issuers = List.copyOf(issuers);
        }

        boolean hasServiceAccounts() {
            return issuers.stream()
                    .anyMatch(each -> each.mapping() instanceof Mapping.ServiceAccount);
        }

        @Override
        public String toString() {
            return issuers.size() + " issuers";
        }
    }
}
