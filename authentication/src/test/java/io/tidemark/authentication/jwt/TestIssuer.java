package io.tidemark.authentication.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Signs tokens. */
final class TestIssuer {
    static final String URL = "https://issuer.example";
    static final String AUDIENCE = "tidemark";

    private TestIssuer() {}

    static String keySet(JWK... keys) {
        return new JWKSet(List.of(keys)).toString(true);
    }

    /** Claims of a user, valid for an hour. */
    static Map<String, Object> claims(Instant now) {
        return new HashMap<>(
                Map.of(
                        "iss",
                        URL,
                        "aud",
                        AUDIENCE,
                        "sub",
                        "jane",
                        "exp",
                        now.getEpochSecond() + 3600));
    }

    static String sign(JWK key, JWSAlgorithm algorithm, Map<String, Object> claims) {
        return sign(key, new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
    }

    static String sign(JWK key, JWSHeader header, Map<String, Object> claims) {
        try {
            JWSSigner signer =
                    switch (key) {
                        case RSAKey rsa -> new RSASSASigner(rsa.toPrivateKey(), true);
                        case ECKey ec -> new ECDSASigner(ec);
                        case OctetSequenceKey secret -> new MACSigner(secret);
                        default -> throw new IllegalArgumentException("cannot sign with " + key);
                    };
            JWSObject token = new JWSObject(header, new Payload(claims));
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
