package io.tidemark.authentication.jwt;

import com.nimbusds.jwt.SignedJWT;
import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authentication.jwt.IssuerSettings.Mapping;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;

/**
 * Judges the tokens of one issuer.
 *
 * @param accounts not empty if the tokens are those of ServiceAccounts
 */
record TokenIssuer(IssuerSettings settings, KeyLookup keys, Optional<ServiceAccounts> accounts) {
    /** How far a provider's clock may be ahead, as upstream. */
    private static final Duration NOT_BEFORE_LEEWAY = Duration.ofMinutes(5);

    /**
     * @param claims of the token, not verified yet, with this issuer in {@code iss}
     */
    Authentication authenticate(SignedJWT token, Claims claims, Instant now)
            throws InterruptedException {
        switch (keys.find(VerificationKeys.keyId(token))) {
            case KeyLookup.Found.Unavailable(String reason) -> {
                return new Unavailable(reason);
            }
            case KeyLookup.Found.Keys(VerificationKeys known) -> {
                if (!known.verify(token)) {
                    return wrong("no key of the issuer signed it");
                }
            }
        }
        try {
            return ofVerified(claims, now);
        } catch (WrongClaimsException e) {
            return wrong(String.valueOf(e.getMessage()));
        }
    }

    private Authentication ofVerified(Claims claims, Instant now)
            throws WrongClaimsException, InterruptedException {
        if (Collections.disjoint(claims.texts("aud"), settings.audiences())) {
            throw new WrongClaimsException("it is for another audience");
        }
        boolean ofServiceAccount = settings.mapping() instanceof Mapping.ServiceAccount;
        Duration leeway = ofServiceAccount ? ServiceAccountClaims.LEEWAY : Duration.ZERO;
        Instant until =
                claims.time("exp")
                        .orElseThrow(() -> new WrongClaimsException("the claim 'exp' is missing"))
                        .plus(leeway);
        if (!now.isBefore(until)) {
            throw new WrongClaimsException("it is expired");
        }
        Instant earliest =
                now.plus(ofServiceAccount ? ServiceAccountClaims.LEEWAY : NOT_BEFORE_LEEWAY);
        if (claims.time("nbf").filter(earliest::isBefore).isPresent()) {
            throw new WrongClaimsException("it is not valid yet");
        }
        return switch (settings.mapping()) {
            case Mapping.User user -> new Known(UserClaims.callerOf(claims, user), until);
            case Mapping.ServiceAccount _ -> {
                ServiceAccountClaims bound = ServiceAccountClaims.of(claims);
                yield bound.authenticate(accounts.orElseThrow(), now, until);
            }
        };
    }

    private Wrong wrong(String why) {
        return new Wrong("the token of the issuer %s: %s".formatted(settings.url(), why));
    }
}
