package io.tidemark.authentication.jwt;

import io.tidemark.authentication.jwt.IssuerSettings.Mapping;
import io.tidemark.authentication.jwt.IssuerSettings.Prefixed;
import io.tidemark.authorization.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes a caller of the claims of an OpenID Connect provider. */
final class UserClaims {
    /** Names that Kubernetes keeps for itself: a provider must not hand them out. */
    private static final String RESERVED = "system:";

    private static final String EMAIL = "email";
    private static final String EMAIL_VERIFIED = "email_verified";

    private UserClaims() {}

    static Caller callerOf(Claims claims, Mapping.User mapping) throws WrongClaimsException {
        for (Map.Entry<String, String> each : mapping.required().entrySet()) {
            if (!claims.required(each.getKey()).equals(each.getValue())) {
                throw new WrongClaimsException(
                        "the claim '%s' has not the required value".formatted(each.getKey()));
            }
        }
        String uid = mapping.uidClaim().isEmpty() ? "" : claims.required(mapping.uidClaim());
        return new Caller(name(claims, mapping.username()), uid, groups(claims, mapping), Map.of());
    }

    private static String name(Claims claims, Prefixed username) throws WrongClaimsException {
        String claim = username.claim();
        String value = claims.required(claim);
        if (claim.equals(EMAIL) && claims.has(EMAIL_VERIFIED) && !claims.isTrue(EMAIL_VERIFIED)) {
            throw new WrongClaimsException("the e-mail address is not verified");
        }
        if (value.isEmpty()) {
            throw new WrongClaimsException("the claim '%s' is empty".formatted(claim));
        }
        return unreserved(claim, username.prefix() + value);
    }

    private static List<String> groups(Claims claims, Mapping.User mapping)
            throws WrongClaimsException {
        List<String> groups = new ArrayList<>();
        if (mapping.groups().isPresent()) {
            Prefixed from = mapping.groups().get();
            for (String group : claims.texts(from.claim())) {
                groups.add(unreserved(from.claim(), from.prefix() + group));
            }
        }
        return groups;
    }

    private static String unreserved(String claim, String name) throws WrongClaimsException {
        if (name.startsWith(RESERVED)) {
            throw new WrongClaimsException(
                    "the claim '%s' names one of Kubernetes' own, %s…".formatted(claim, RESERVED));
        }
        return name;
    }
}
