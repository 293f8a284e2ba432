package io.tidemark.authentication.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.tidemark.authentication.jwt.IssuerSettings.Keys;
import io.tidemark.authentication.jwt.IssuerSettings.Mapping;
import io.tidemark.authentication.jwt.IssuerSettings.Prefixed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IssuerFileTest {
    private static final String GOOD =
            """
            jwt:
            - issuer:
                url: https://a.example/realm
                audiences: [tidemark]
              claimMappings:
                username: {claim: sub, prefix: "a:"}
            """;

    @TempDir private Path folder;

    @BeforeEach
    void writeKeys() throws Exception {
        Files.writeString(
                folder.resolve("keys.json"),
                TestIssuer.keySet(new ECKeyGenerator(Curve.P_256).generate()));
        Files.writeString(folder.resolve("empty.json"), "{\"keys\":[]}");
        Files.writeString(folder.resolve("null.json"), "null");
        Files.writeString(
                folder.resolve("many.json"),
                "{\"keys\":["
                        + "{\"kty\":\"oct\",\"k\":\"AA\"},".repeat(64)
                        + "{\"kty\":\"oct\",\"k\":\"AA\"}]}");
    }

    private IssuerSettings.File read(String content) throws IOException {
        return IssuerFile.read(Files.writeString(folder.resolve("oidc.yaml"), content));
    }

    @Test
    void findsTheKeysOfAnIssuerByItsUrl() throws Exception {
        assertThat(read(GOOD).issuers().getFirst().keys())
                .isEqualTo(
                        new Keys.Discovered(
                                URI.create(
                                        "https://a.example/realm/.well-known/openid-configuration"),
                                ""));
        assertThat(read(GOOD.replace("realm", "realm/")).issuers().getFirst().keys())
                .isEqualTo(read(GOOD).issuers().getFirst().keys());
        assertThat(
                        read(GOOD.replace(
                                        "audiences:",
                                        "discoveryURL: https://b.example/c\n    audiences:"))
                                .issuers()
                                .getFirst()
                                .keys())
                .isEqualTo(new Keys.Discovered(URI.create("https://b.example/c"), ""));
    }

    /** The example of the page for users. */
    @Test
    void readsTheExampleOfThePage() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "secure-setup.md"));
        int from = page.indexOf("apiVersion: apiserver.config.k8s.io/");
        assertThat(read(page.substring(from, page.indexOf("```", from))).issuers())
                .extracting(IssuerSettings::audiences, IssuerSettings::mapping)
                .containsExactly(
                        tuple(
                                Set.of("tidemark"),
                                new Mapping.User(
                                        new Prefixed("sub", "oidc:"),
                                        Optional.of(new Prefixed("groups", "oidc:")),
                                        "",
                                        Map.of())));
    }

    @Test
    void readsJsonToo() throws Exception {
        String json =
                """
                {"jwt":[{"issuer":{"url":"https://a.example/realm","audiences":["tidemark"]},
                 "claimMappings":{"username":{"claim":"sub","prefix":"a:"}}}]}
                """;
        assertThat(read(json)).isEqualTo(read(GOOD));
    }

    /** What is replaced by what in the good file, and the message. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jwt:              | jwtt:                        | jwtt is not supported",
                "jwt:              | anonymous: {enabled: true}~jwt: | anonymous is not supported",
                "jwt:              | kind: Pod~jwt:               | it is no AuthenticationConfig",
                "jwt:              | apiVersion: v1~jwt:          | it is no AuthenticationConfig",
                "jwt:              | a: b: c                      | neither YAML nor JSON",
                "jwt:              | jwt: []~jwt:                 | neither YAML nor JSON",
                "url: https://     | url: http://                 | jwt[0].issuer.url is not of",
                "url: https://     | url: https://u:p@            | jwt[0].issuer.url is not of",
                "/realm            | /realm?x=1                   | jwt[0].issuer.url is not of",
                "/realm            | /realm#x                     | jwt[0].issuer.url is not of",
                "https://a.example | ''                           | jwt[0].issuer.url is not of",
                "[tidemark]        | [&a tidemark, *a]            | line 4 has a YAML alias",
                "[tidemark]        | []                           | audiences is missing",
                "[tidemark]        | [1]                          | audiences[0] is no text",
                "[tidemark]        | tidemark                     | audiences is no list",
                "[tidemark]        | [a]~    audienceMatchPolicy: All | must be MatchAny",
                "[tidemark]        | [a]~    certificateAuthority: x  | certificateAuthority: no",
                "[tidemark]        | [a]~    jwksFile: none       | no such file",
                "[tidemark]        | [a]~    jwksFile: oidc.yaml  | not a JSON Web Key Set",
                "[tidemark]        | [a]~    jwksFile: null.json  | not a JSON Web Key Set",
                "[tidemark]        | [a]~    jwksFile: empty.json | has no RSA key",
                "[tidemark]        | [a]~    jwksFile: many.json  | has 65 keys",
                "[tidemark]        | [a]~    jwksFile: keys.json~    discoveryURL: https://b | is"
                        + " instead",
                "claim: sub        | expression: claims.sub       | username.expression is not",
                "claim: sub        | claim: 7                     | username.claim is no text",
                "', prefix: \"a:\"' | ''                          | prefix is missing; it may be",
                "username          | groups                       | username is missing",
                "claimMappings     | claimMapping                 | claimMapping is not supported",
                "- issuer:         | - issuers:                   | issuers is not supported",
                "claimMappings:    | claimValidationRules: [{expression: x}]~  claimMappings: |"
                        + " expression is not",
            })
    void refusesWhatIsNotSupportedAndNamesItsPlace(String part, String instead, String why) {
        String content = GOOD.replace(part, instead.replace('~', '\n'));
        assertThat(content).isNotEqualTo(GOOD);
        assertThatThrownBy(() -> read(content)).hasMessageContaining(why);
    }

    @Test
    void refusesAFileWithoutAnIssuerOrWithOneTwice() {
        assertThatThrownBy(() -> read("jwt: []")).hasMessageContaining("names no issuer");
        assertThatThrownBy(() -> read("")).hasMessageContaining("the file is no object");
        String twice = GOOD + GOOD.substring(GOOD.indexOf("- issuer"));
        assertThatThrownBy(() -> read(twice)).hasMessageContaining("names an issuer twice");
        assertThatThrownBy(() -> read(GOOD + "#".repeat(256 << 10)))
                .hasMessageContaining("above 262144 bytes");
        assertThatThrownBy(() -> IssuerFile.read(folder.resolve("none")))
                .hasMessageContaining("no such file");
    }

    @Test
    void anIssuerWithGivenKeysNeedsNoUrl() throws Exception {
        String content =
                """
                serviceAccounts:
                - issuer: {url: kubernetes/serviceaccount, audiences: [a], jwksFile: keys.json}
                """;
        assertThat(read(content).hasServiceAccounts()).isTrue();
        assertThat(read(content).issuers().getFirst().keys()).isInstanceOf(Keys.Fixed.class);
        assertThat(read(GOOD).hasServiceAccounts()).isFalse();
    }

    @Test
    void survivesRandomChanges() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            StringBuilder content = new StringBuilder(GOOD);
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                content.setCharAt(
                        random.nextInt(content.length()),
                        "{}[]:,-&*!|>'\"%@` \n\u0000a".charAt(random.nextInt(21)));
            }
            try {
                read(content.toString());
            } catch (IOException | IllegalArgumentException e) {
                assertThat(e.getMessage()).as("seed %d", seed).contains("oidc.yaml");
            }
        }
    }
}
