package io.tidemark.authentication.jwt;

import static io.tidemark.authentication.jwt.TestIssuer.keySet;
import static io.tidemark.authentication.jwt.TestIssuer.sign;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jose.util.JSONObjectUtils;
import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.None;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authorization.Caller;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static RSAKey rsa;
    private static RSAKey small;
    private static ECKey p256;
    private static ECKey p384;

    @TempDir private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private Instant now = NOW;
    private Map<String, Object> claims = TestIssuer.claims(NOW);

    @BeforeAll
    static void makeKeys() throws Exception {
        rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
        small = new RSAKeyGenerator(1024, true).keyID("small").generate();
        p256 = new ECKeyGenerator(Curve.P_256).keyID("p256").generate();
        p384 = new ECKeyGenerator(Curve.P_384).keyID("p384").generate();
    }

    @BeforeEach
    void writeFiles() throws Exception {
        writeKeys(rsa, small, p256, p384);
        writeFile("username: {claim: sub, prefix: ''}");
    }

    private void writeKeys(JWK... keys) throws Exception {
        Files.writeString(folder.resolve("keys.json"), keySet(keys));
    }

    private void writeFile(String mappings, String... more) throws Exception {
        Files.writeString(
                folder.resolve("oidc.yaml"),
                """
                apiVersion: apiserver.config.k8s.io/v1
                kind: AuthenticationConfiguration
                jwt:
                - issuer:
                    url: https://issuer.example
                    audiences: [tidemark, other]
                    audienceMatchPolicy: MatchAny
                    jwksFile: keys.json
                  claimMappings:
                    %s
                %s
                """
                        .formatted(mappings.replace(";", "\n    "), String.join("\n", more)));
    }

    private JwtAuthenticator open() throws Exception {
        return new JwtAuthenticator(
                folder.resolve("oidc.yaml"), Optional.empty(), () -> now, nanos::get);
    }

    private Authentication ask(String token) throws Exception {
        return open().authenticate(token);
    }

    private Authentication askWithClaims() throws Exception {
        return ask(sign(rsa, JWSAlgorithm.RS256, claims));
    }

    private void assertWrong(Authentication found, String why) {
        assertThat(found).isInstanceOf(Wrong.class);
        assertThat(((Wrong) found).reason()).contains(why).doesNotContain("sekret");
    }

    private static String encoded(String json) {
        return Base64URL.encode(json.getBytes(StandardCharsets.UTF_8)).toString();
    }

    @Test
    void knowsTheUserUntilTheTokenExpires() throws Exception {
        assertThat(askWithClaims())
                .isEqualTo(new Known(new Caller("jane", List.of()), NOW.plusSeconds(3600)));
    }

    @ParameterizedTest
    @CsvSource({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
    void acceptsTheAlgorithmsOfAnRsaKey(String algorithm) throws Exception {
        assertThat(ask(sign(rsa, JWSAlgorithm.parse(algorithm), claims))).isInstanceOf(Known.class);
    }

    @Test
    void acceptsTheAlgorithmOfACurve() throws Exception {
        assertThat(ask(sign(p256, JWSAlgorithm.ES256, claims))).isInstanceOf(Known.class);
        assertThat(ask(sign(p384, JWSAlgorithm.ES384, claims))).isInstanceOf(Known.class);
    }

    @Test
    void refusesAShortRsaKey() throws Exception {
        assertWrong(ask(sign(small, JWSAlgorithm.RS256, claims)), "no key");
    }

    @Test
    void refusesSharedSecretsAlsoIfTheyAreAPublicKey() throws Exception {
        byte[] published = rsa.toRSAPublicKey().getEncoded();
        OctetSequenceKey secret = new OctetSequenceKey.Builder(published).keyID("rsa").build();
        assertWrong(ask(sign(secret, JWSAlgorithm.HS256, claims)), "no key");

        writeKeys(rsa, secret);
        assertWrong(ask(sign(secret, JWSAlgorithm.HS256, claims)), "no key");
    }

    @Test
    void refusesATokenWithoutASignature() throws Exception {
        String payload = sign(rsa, JWSAlgorithm.RS256, claims).split("\\.")[1];
        for (String algorithm : new String[] {"none", "None", "NONE", ""}) {
            String header = encoded("{\"alg\":\"%s\",\"kid\":\"rsa\"}".formatted(algorithm));
            for (String signature : new String[] {"", "AA", encoded("x".repeat(256))}) {
                assertThat(ask(header + "." + payload + "." + signature))
                        .isNotInstanceOf(Known.class);
            }
        }
    }

    @Test
    void refusesASignatureOfAllZeros() throws Exception {
        String token = sign(p256, JWSAlgorithm.ES256, claims);
        String zeros = Base64URL.encode(new byte[64]).toString();
        assertWrong(ask(token.substring(0, token.lastIndexOf('.') + 1) + zeros), "no key");
    }

    @Test
    void refusesAnotherKey() throws Exception {
        RSAKey other = new RSAKeyGenerator(2048).keyID("rsa").generate();
        assertWrong(ask(sign(other, JWSAlgorithm.RS256, claims)), "no key");
    }

    @Test
    void aTokenNamesItsKeyOrIsTriedWithAll() throws Exception {
        assertThat(ask(sign(p256, new JWSHeader(JWSAlgorithm.ES256), claims)))
                .isInstanceOf(Known.class);
        JWSHeader misnamed = new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("p256").build();
        assertWrong(ask(sign(rsa, misnamed, claims)), "no key");
    }

    @Test
    void keysForOtherUsesVerifyNothing() throws Exception {
        RSAKey encrypts = new RSAKey.Builder(rsa).keyUse(KeyUse.ENCRYPTION).build();
        writeKeys(encrypts, p256);
        assertWrong(askWithClaims(), "no key");

        writeKeys(new RSAKey.Builder(rsa).algorithm(JWSAlgorithm.PS256).build(), p256);
        assertWrong(askWithClaims(), "no key");
        assertThat(ask(sign(rsa, JWSAlgorithm.PS256, claims))).isInstanceOf(Known.class);
    }

    @Test
    void refusesCriticalHeaders() throws Exception {
        JWSHeader header =
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("rsa")
                        .criticalParams(Set.of("exp"))
                        .customParam("exp", 1)
                        .build();
        assertWrong(ask(sign(rsa, header, claims)), "no key");
    }

    @Test
    void otherIssuersAreNotItsBusiness() throws Exception {
        for (Object issuer :
                new Object[] {
                    "https://issuer.example/", "https://ISSUER.example", "", 7, List.of("x")
                }) {
            claims.put("iss", issuer);
            assertThat(askWithClaims()).isEqualTo(new None());
        }
        claims.remove("iss");
        assertThat(askWithClaims()).isEqualTo(new None());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tidemark", "other"})
    void needsAnAudienceOfOurs(String ours) throws Exception {
        claims.put("aud", ours);
        assertThat(askWithClaims()).isInstanceOf(Known.class);
        claims.put("aud", List.of("https://kubernetes.default.svc", ours));
        assertThat(askWithClaims()).isInstanceOf(Known.class);
    }

    @Test
    void refusesATokenForAnotherAudience() throws Exception {
        for (Object audience :
                new Object[] {
                    "https://kubernetes.default.svc", "tidemarks", "", List.of(), List.of("x")
                }) {
            claims.put("aud", audience);
            assertWrong(askWithClaims(), "audience");
        }
        claims.put("aud", Map.of("tidemark", "tidemark"));
        assertWrong(askWithClaims(), "'aud'");
        claims.remove("aud");
        assertWrong(askWithClaims(), "audience");
    }

    @Test
    void needsAnEndInTheFuture() throws Exception {
        String token = sign(rsa, JWSAlgorithm.RS256, claims);
        now = NOW.plusSeconds(3599);
        assertThat(ask(token)).isInstanceOf(Known.class);
        now = NOW.plusSeconds(3600);
        assertWrong(ask(token), "expired");

        claims.remove("exp");
        assertWrong(askWithClaims(), "'exp' is missing");
        claims.put("exp", "2030");
        assertWrong(askWithClaims(), "'exp' is no time");
        claims.put("exp", -1);
        assertWrong(askWithClaims(), "expired");
        claims.put("exp", 1e300);
        assertThat(askWithClaims()).isInstanceOf(Known.class);
    }

    @Test
    void refusesATokenOfTheFutureWithALeewayForClocks() throws Exception {
        claims.put("nbf", NOW.getEpochSecond() + 300);
        assertThat(askWithClaims()).isInstanceOf(Known.class);
        claims.put("nbf", NOW.getEpochSecond() + 301);
        assertWrong(askWithClaims(), "not valid yet");
    }

    /** Cases of upstream's own test. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "groups | [\"a\",\"b\"]   | jane | a b",
                "groups | \"a\"           | jane | a",
                "groups | []              | jane | ''",
                "groups | null            | jane | ''",
                "other  | [\"a\"]         | jane | ''",
            })
    void groupsAreATextOrAList(String claim, String json, String user, String groups)
            throws Exception {
        writeFile("username: {claim: sub, prefix: ''};groups: {claim: groups, prefix: ''}");
        claims.put(claim, JSONObjectUtils.parse("{\"x\":" + json + "}").get("x"));
        Known known = (Known) askWithClaims();
        assertThat(known.caller().name()).isEqualTo(user);
        assertThat(known.caller().groups())
                .containsExactly(groups.isEmpty() ? new String[0] : groups.split(" "));
    }

    @Test
    void refusesGroupsOfAnotherType() throws Exception {
        writeFile("username: {claim: sub, prefix: ''};groups: {claim: groups, prefix: ''}");
        for (Object groups : new Object[] {42, Map.of("a", "b"), List.of("a", 1), true}) {
            claims.put("groups", groups);
            assertWrong(askWithClaims(), "'groups'");
        }
    }

    @Test
    void prefixesUsersAndGroups() throws Exception {
        writeFile(
                "username: {claim: sub, prefix: 'oidc:'};groups: {claim: groups, prefix: 'g-'};uid:"
                        + " {claim: id}");
        claims.put("groups", List.of("a", "system:masters"));
        claims.put("id", "7");
        assertThat(((Known) askWithClaims()).caller())
                .isEqualTo(
                        new Caller("oidc:jane", "7", List.of("g-a", "g-system:masters"), Map.of()));
        claims.remove("id");
        assertWrong(askWithClaims(), "'id' is missing");
    }

    @ParameterizedTest
    @CsvSource({
        "'', system:admin, a",
        "'', system:serviceaccount:a:b, a",
        "sys, tem:admin, a",
        "system:, jane, a",
        "'', jane, system:masters",
        "'', jane, system:",
    })
    void refusesNamesThatKubernetesKeepsForItself(String prefix, String user, String group)
            throws Exception {
        writeFile(
                "username: {claim: sub, prefix: '%s'};groups: {claim: groups, prefix: ''}"
                        .formatted(prefix));
        claims.put("sub", user);
        claims.put("groups", List.of("b", group));
        assertWrong(askWithClaims(), "Kubernetes' own");
    }

    @Test
    void needsAUser() throws Exception {
        for (Object subject : new Object[] {"", 7, List.of("jane"), true}) {
            claims.put("sub", subject);
            assertWrong(askWithClaims(), "'sub'");
        }
        claims.remove("sub");
        assertWrong(askWithClaims(), "'sub' is missing");
    }

    @Test
    void anEmailCountsUnlessItIsCalledUnverified() throws Exception {
        writeFile("username: {claim: email, prefix: ''}");
        claims.put("email", "jane@example.com");
        assertThat(((Known) askWithClaims()).caller().name()).isEqualTo("jane@example.com");
        claims.put("email_verified", true);
        assertThat(askWithClaims()).isInstanceOf(Known.class);
        for (Object verified : new Object[] {false, "true", 1}) {
            claims.put("email_verified", verified);
            assertWrong(askWithClaims(), "not verified");
        }
    }

    @Test
    void requiredClaimsMustHaveTheirValue() throws Exception {
        writeFile(
                "username: {claim: sub, prefix: ''}",
                "  claimValidationRules:",
                "  - {claim: hd, requiredValue: example.com}");
        assertWrong(askWithClaims(), "'hd' is missing");
        claims.put("hd", "sekret.com");
        assertWrong(askWithClaims(), "'hd' has not the required value");
        claims.put("hd", List.of("example.com"));
        assertWrong(askWithClaims(), "'hd' is no text");
        claims.put("hd", "example.com");
        assertThat(askWithClaims()).isInstanceOf(Known.class);
    }

    @Test
    void takesUpAChangedFileOrKeySet() throws Exception {
        JwtAuthenticator authenticator = open();
        String token = sign(rsa, JWSAlgorithm.RS256, claims);
        AtomicInteger calls = new AtomicInteger();
        authenticator.onChange(calls::incrementAndGet);
        assertThat(authenticator.authenticate(token)).isInstanceOf(Known.class);

        writeKeys(p256);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        authenticator.refresh();
        assertThat(calls).hasValue(1);
        assertThat(authenticator.version()).isEqualTo(1);
        assertWrong(authenticator.authenticate(token), "no key");

        writeFile("nonsense: true");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        authenticator.refresh();
        assertThat(calls).hasValue(1);
        assertThat(authenticator.authenticate(sign(p256, JWSAlgorithm.ES256, claims)))
                .isInstanceOf(Known.class);
    }

    @Test
    void aReloadRefusesIssuersOfServiceAccountsTokens() throws Exception {
        JwtAuthenticator authenticator = open();
        Files.writeString(
                folder.resolve("oidc.yaml"),
                """
                serviceAccounts:
                - issuer: {url: "https://issuer.example", audiences: [tidemark], jwksFile: keys.json}
                """);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(authenticator.authenticate(sign(rsa, JWSAlgorithm.RS256, claims)))
                .isInstanceOf(Known.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "...",
                "a.b.c",
                "a.b",
                "{}",
                "e30.e30.e30",
                "e30..",
                "....",
                "eyJhbGciOiJub25lIn0.e30.",
                "{\"payload\":\"\",\"signatures\":[]}",
                "eyJhbGciOiJSUzI1NiJ9.W10.AA",
                "eyJhbGciOiJSUzI1NiJ9.bnVsbA.AA",
                "bnVsbA.e30.AA",
            })
    void otherTokensAreNotItsBusiness(String token) throws Exception {
        assertThat(ask(token)).isEqualTo(new None());
    }

    @Test
    void survivesDeepNesting() throws Exception {
        String deep = encoded("{\"iss\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}");
        assertThat(ask(encoded("{\"alg\":\"RS256\"}") + "." + deep + ".AA")).isEqualTo(new None());
        assertThat(ask(deep + "." + deep + ".AA")).isEqualTo(new None());
    }

    /** A valid token with a few characters changed is never known, unless it is the same bytes. */
    @Test
    void survivesRandomChanges() throws Exception {
        JwtAuthenticator authenticator = open();
        for (String token :
                List.of(
                        sign(rsa, JWSAlgorithm.RS256, claims),
                        sign(p256, JWSAlgorithm.ES256, claims))) {
            for (int seed = 0; seed < 3_000; seed++) {
                Random random = new Random(seed);
                char[] changed = token.toCharArray();
                for (int i = 1 + random.nextInt(3); i > 0; i--) {
                    changed[random.nextInt(changed.length)] =
                            "abcXYZ019-_.=+/ {\u0000é".charAt(random.nextInt(19));
                }
                Authentication found = authenticator.authenticate(new String(changed));
                if (found instanceof Known && !sameBytes(token, new String(changed))) {
                    assertThat(found).as("seed %d", seed).isNotInstanceOf(Known.class);
                }
            }
        }
    }

    /** The last character of a part has bits that mean nothing. */
    private static boolean sameBytes(String token, String changed) {
        String[] expected = token.split("\\.", -1);
        String[] actual = changed.split("\\.", -1);
        if (expected.length != actual.length
                || !expected[0].equals(actual[0])
                || !expected[1].equals(actual[1])) {
            return false;
        }
        return Arrays.equals(
                Base64.getUrlDecoder().decode(expected[2]), new Base64URL(actual[2]).decode());
    }
}
