package io.tidemark.authentication.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The public keys of an issuer. What kind a key is decides which algorithms it may verify: a token
 * cannot choose, and shared secrets ({@code HS*}) and {@code none} verify nothing.
 */
record VerificationKeys(List<JWK> keys) {
    /** More than any issuer publishes; a token without a key id is tried with each of them. */
    private static final int MAX_KEYS = 64;

    private static final int LEAST_RSA_BITS = 2048;

    private static final Set<JWSAlgorithm> RSA =
            Set.of(
                    JWSAlgorithm.RS256,
                    JWSAlgorithm.RS384,
                    JWSAlgorithm.RS512,
                    JWSAlgorithm.PS256,
                    JWSAlgorithm.PS384,
                    JWSAlgorithm.PS512);

    private static final Map<Curve, JWSAlgorithm> BY_CURVE =
            Map.of(
                    Curve.P_256, JWSAlgorithm.ES256,
                    Curve.P_384, JWSAlgorithm.ES384,
                    Curve.P_521, JWSAlgorithm.ES512);

    VerificationKeys {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a JSON Web Key Set. Keys of other kinds, for other uses, and RSA keys below 2048 bits
     * are left out.
     *
     * @throws IllegalArgumentException when it is none, has more than 64 keys, or no key that can
     *     verify tokens
     */
    static VerificationKeys parse(String json) {
        List<JWK> all;
        try {
            all = JWKSet.parse(json).getKeys();
        } catch (ParseException | RuntimeException e) {
            // The parser throws more than it declares, such as for null.
            throw new IllegalArgumentException("not a JSON Web Key Set", e);
        }
        if (all.size() > MAX_KEYS) {
            throw new IllegalArgumentException(
                    "the key set has %d keys, more than %d".formatted(all.size(), MAX_KEYS));
        }
        List<JWK> usable = new ArrayList<>();
        for (JWK each : all) {
            if (!algorithms(each).isEmpty()) {
                usable.add(each.toPublicJWK());
            }
        }
        if (usable.isEmpty()) {
            throw new IllegalArgumentException(
                    "the key set has no RSA key of 2048 bits or more and no key on P-256, P-384 or"
                            + " P-521 that verifies signatures");
        }
        return new VerificationKeys(usable);
    }

    private static Set<JWSAlgorithm> algorithms(JWK key) {
        boolean verifies =
                (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                        && (key.getKeyOperations() == null
                                || key.getKeyOperations().contains(KeyOperation.VERIFY));
        if (!verifies) {
            return Set.of();
        }
        Set<JWSAlgorithm> ofKind =
                switch (key) {
                    case RSAKey rsa when rsa.size() >= LEAST_RSA_BITS -> RSA;
                    case ECKey ec when BY_CURVE.containsKey(ec.getCurve()) ->
                            Set.of(BY_CURVE.get(ec.getCurve()));
                    default -> Set.of();
                };
        if (key.getAlgorithm() == null) {
            return ofKind;
        }
        JWSAlgorithm only = JWSAlgorithm.parse(key.getAlgorithm().getName());
        return ofKind.contains(only) ? Set.of(only) : Set.of();
    }

    /** Whether it holds a key of this id. */
    boolean has(String keyId) {
        return keys.stream().anyMatch(key -> keyId.equals(key.getKeyID()));
    }

    /** The id of the key that a token names; empty for none. */
    static String keyId(SignedJWT token) {
        String id = token.getHeader().getKeyID();
        return id == null ? "" : id;
    }

    /** Whether one of the keys signed the token: that of the id which it names, or any. */
    boolean verify(SignedJWT token) {
        JWSHeader header = token.getHeader();
        if (header.getCriticalParams() != null) {
            return false;
        }
        String id = keyId(token);
        for (JWK key : keys) {
            if ((id.isEmpty() || id.equals(key.getKeyID()))
                    && algorithms(key).contains(header.getAlgorithm())
                    && isSignedBy(key, token)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSignedBy(JWK key, SignedJWT token) {
        try {
            JWSVerifier verifier =
                    switch (key) {
                        case RSAKey rsa -> new RSASSAVerifier(rsa);
                        case ECKey ec -> new ECDSAVerifier(ec);
                        default -> throw new IllegalStateException("not a public key: " + key);
                    };
            return token.verify(verifier);
        } catch (JOSEException _) {
            return false;
        }
    }
}
