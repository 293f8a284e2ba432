package io.tidemark.authentication.jwt;

import static io.tidemark.authentication.jwt.TestIssuer.sign;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.tidemark.authentication.Authentication;
import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authentication.ChangeSignal;
import io.tidemark.authentication.jwt.ServiceAccounts.Found;
import io.tidemark.authorization.Caller;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceAccountTokensTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir private Path folder;

    private final FakeObjects objects = new FakeObjects();
    private final Map<String, Object> claims = TestIssuer.claims(NOW);
    private final Map<String, Object> own =
            new HashMap<>(
                    Map.of(
                            "namespace",
                            "ns",
                            "serviceaccount",
                            Map.of("name", "app", "uid", "u1")));
    private ECKey key;
    private JwtAuthenticator authenticator;

    /** Objects by {@code kind/namespace/name}. */
    private static final class FakeObjects implements ServiceAccounts {
        final Map<String, Found> found = new HashMap<>();
        final ChangeSignal signal = new ChangeSignal();

        private Found find(String key) {
            return found.getOrDefault(key, new Found.Missing());
        }

        void put(String key, String uid) {
            found.put(key, new Found.Present(uid, Optional.empty()));
        }

        @Override
        public Found serviceAccount(String namespace, String name) {
            return find("account/" + namespace + "/" + name);
        }

        @Override
        public Found pod(String namespace, String name) {
            return find("pod/" + namespace + "/" + name);
        }

        @Override
        public Found node(String name) {
            return find("node/" + name);
        }

        @Override
        public long version() {
            return signal.version();
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return signal.onChange(listener);
        }
    }

    @BeforeEach
    void open() throws Exception {
        key = new ECKeyGenerator(Curve.P_256).keyID("k").generate();
        Files.writeString(folder.resolve("keys.json"), TestIssuer.keySet(key));
        Files.writeString(
                folder.resolve("oidc.yaml"),
                """
                serviceAccounts:
                - issuer: {url: "https://issuer.example", audiences: [tidemark], jwksFile: keys.json}
                """);
        authenticator = open(Optional.of(objects));
        claims.put("sub", "system:serviceaccount:ns:app");
        claims.put("kubernetes.io", own);
        objects.put("account/ns/app", "u1");
    }

    private JwtAuthenticator open(Optional<ServiceAccounts> accounts) throws Exception {
        return new JwtAuthenticator(
                folder.resolve("oidc.yaml"), accounts, () -> NOW, System::nanoTime);
    }

    private Authentication ask() throws Exception {
        return authenticator.authenticate(sign(key, JWSAlgorithm.ES256, claims));
    }

    private void assertWrong(String why) throws Exception {
        Authentication found = ask();
        assertThat(found).isInstanceOf(Wrong.class);
        assertThat(((Wrong) found).reason()).contains(why);
    }

    @Test
    void knowsTheAccountByTheClaims() throws Exception {
        assertThat(ask())
                .isEqualTo(
                        new Known(
                                new Caller(
                                        "system:serviceaccount:ns:app",
                                        "u1",
                                        List.of(
                                                "system:serviceaccounts",
                                                "system:serviceaccounts:ns"),
                                        Map.of()),
                                NOW.plusSeconds(3660)));
    }

    @Test
    void namesPodNodeAndTokenAsExtraAttributes() throws Exception {
        own.put("pod", Map.of("name", "p", "uid", "u2"));
        own.put("node", Map.of("name", "n", "uid", "u3"));
        claims.put("jti", "id");
        objects.put("pod/ns/p", "u2");

        assertThat(((Known) ask()).caller().extra())
                .isEqualTo(
                        Map.of(
                                "authentication.kubernetes.io/pod-name", List.of("p"),
                                "authentication.kubernetes.io/pod-uid", List.of("u2"),
                                "authentication.kubernetes.io/node-name", List.of("n"),
                                "authentication.kubernetes.io/node-uid", List.of("u3"),
                                "authentication.kubernetes.io/credential-id", List.of("JTI=id")));
    }

    @Test
    void dependsOnTheAccountWithItsUid() throws Exception {
        objects.put("account/ns/app", "u9");
        assertWrong("earlier ServiceAccount");
        objects.found.put("account/ns/app", new Found.Unknown());
        assertThat(ask()).isInstanceOf(Unavailable.class);
        objects.found.clear();
        assertWrong("ServiceAccount does not exist");
    }

    @Test
    void dependsOnTheBoundPodWithItsUid() throws Exception {
        own.put("pod", Map.of("name", "p", "uid", "u2"));
        assertWrong("Pod does not exist");
        objects.put("pod/ns/p", "u9");
        assertWrong("earlier Pod");
        objects.found.put("pod/ns/p", new Found.Unknown());
        assertThat(ask()).isInstanceOf(Unavailable.class);
        objects.put("pod/ns/p", "u2");
        assertThat(ask()).isInstanceOf(Known.class);
        objects.found.remove("account/ns/app");
        assertWrong("ServiceAccount does not exist");
    }

    @Test
    void dependsOnTheBoundNodeOnlyWithoutAPod() throws Exception {
        own.put("node", Map.of("name", "n", "uid", "u3"));
        assertWrong("Node does not exist");
        objects.put("node/n", "u3");
        assertThat(ask()).isInstanceOf(Known.class);
    }

    @Test
    void whatWasDeletedCountsForTheLeeway() throws Exception {
        Instant limit = NOW.minus(ServiceAccountClaims.LEEWAY);
        objects.found.put("account/ns/app", new Found.Present("u1", Optional.of(limit)));
        assertThat(ask()).isInstanceOf(Known.class);
        objects.found.put(
                "account/ns/app", new Found.Present("u1", Optional.of(limit.minusNanos(1))));
        assertWrong("ServiceAccount is deleted");
    }

    @Test
    void secretsAreNotRead() throws Exception {
        own.put("secret", Map.of("name", "s", "uid", "u4"));
        assertWrong("bound to a Secret");
    }

    @Test
    void needsAllClaims() throws Exception {
        own.put("pod", Map.of("name", "p"));
        assertWrong("'uid' is missing");
        own.put("pod", "p");
        assertWrong("'pod' is no object");
        own.remove("pod");
        own.put("serviceaccount", Map.of("name", "", "uid", "u1"));
        assertWrong("'name' is empty");
        own.remove("serviceaccount");
        assertWrong("names no ServiceAccount");
        own.put("namespace", "");
        assertWrong("'namespace' is empty");
        claims.remove("kubernetes.io");
        assertWrong("'kubernetes.io' is missing");
    }

    @Test
    void needsOurAudienceAndAnEndToo() throws Exception {
        claims.put("exp", NOW.getEpochSecond() - 60);
        assertWrong("expired");
        claims.put("exp", NOW.getEpochSecond() - 59);
        assertThat(ask()).isInstanceOf(Known.class);
        claims.put("nbf", NOW.getEpochSecond() + 61);
        assertWrong("not valid yet");
        claims.remove("nbf");
        claims.put("aud", "https://kubernetes.default.svc");
        assertWrong("another audience");
    }

    @Test
    void refusesTheFileWithoutObjects() {
        assertThatThrownBy(() -> open(Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the file " + folder.resolve("oidc.yaml"))
                .hasMessageContaining("let the API server judge them (--origin)");
    }

    @Test
    void changesWithTheObjects() {
        AtomicInteger calls = new AtomicInteger();
        Runnable end = authenticator.onChange(calls::incrementAndGet);
        long before = authenticator.version();
        objects.signal.raise();
        assertThat(authenticator.version()).isGreaterThan(before);
        assertThat(calls).hasValue(1);
        end.run();
        objects.signal.raise();
        assertThat(calls).hasValue(1);
    }
}
