package io.tidemark.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.None;
import io.tidemark.authentication.Authentication.Unavailable;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.authorization.Caller;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorChainTest {
    private static final Authentication NONE = new None();
    private static final Authentication WRONG = new Wrong("bad");
    private static final Authentication AWAY = new Unavailable("away");
    private static final Authentication JANE = known("jane", "dev");

    private final List<String> asked = new ArrayList<>();

    private static Known known(String name, String... groups) {
        return new Known(new Caller(name, "", List.of(groups), Map.of()), Instant.MAX);
    }

    private static Credentials bearer(String authorization) {
        return new Credentials(List.of(), authorization);
    }

    /** Answers always the same. */
    private record Fixed(Authentication answer, ChangeSignal signal, List<String> asked)
            implements TokenAuthenticator {
        @Override
        public Authentication authenticate(String token) {
            asked.add(token);
            return answer;
        }

        @Override
        public long version() {
            return signal.version();
        }

        @Override
        public Runnable onChange(Runnable listener) {
            return signal.onChange(listener);
        }

        @Override
        public void refresh() {
            signal.raise();
        }
    }

    private record Certificates(Authentication answer, ChangeSignal signal)
            implements Authenticator {
        @Override
        public Authentication authenticate(Credentials credentials) {
            return answer;
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

    private Fixed tokens(Authentication answer) {
        return new Fixed(answer, new ChangeSignal(), asked);
    }

    private static Certificates certificates(Authentication answer) {
        return new Certificates(answer, new ChangeSignal());
    }

    private Authentication ask(
            String authorization, Authentication certificate, Authentication... tokens)
            throws InterruptedException {
        List<Fixed> all = new ArrayList<>();
        for (Authentication each : tokens) {
            all.add(tokens(each));
        }
        return new AuthenticatorChain(List.of(certificates(certificate)), all, false)
                .authenticate(bearer(authorization));
    }

    @Test
    void theFirstThatKnowsTheCallerCounts() throws Exception {
        Authentication joe = known("joe");
        assertThat(ask("Bearer t", joe, JANE)).isEqualTo(known("joe", "system:authenticated"));
        assertThat(asked).isEmpty();
        assertThat(ask("Bearer t", NONE, joe, JANE))
                .isEqualTo(known("joe", "system:authenticated"));
        assertThat(ask("Bearer t", WRONG, WRONG, AWAY, JANE))
                .isEqualTo(known("jane", "dev", "system:authenticated"));
    }

    @Test
    void aWrongCredentialIsNeverAnonymous() throws Exception {
        for (boolean anonymous : new boolean[] {false, true}) {
            assertThat(
                            new AuthenticatorChain(List.of(), List.of(tokens(NONE)), anonymous)
                                    .authenticate(bearer("Bearer t")))
                    .isInstanceOf(Wrong.class);
            assertThat(
                            new AuthenticatorChain(List.of(), List.of(), anonymous)
                                    .authenticate(bearer("Bearer t")))
                    .isInstanceOf(Wrong.class);
            assertThat(
                            new AuthenticatorChain(
                                            List.of(certificates(WRONG)), List.of(), anonymous)
                                    .authenticate(Credentials.NONE))
                    .isEqualTo(WRONG);
        }
    }

    @Test
    void credentialsAreNotWrongWhileAnAuthenticatorCannotDecide() throws Exception {
        assertThat(ask("Bearer t", NONE, AWAY, WRONG)).isEqualTo(AWAY);
        assertThat(ask("Bearer t", NONE, WRONG, AWAY)).isEqualTo(AWAY);
        assertThat(ask("Bearer t", AWAY, WRONG)).isEqualTo(AWAY);
        assertThat(ask("Bearer t", NONE, NONE, WRONG)).isEqualTo(WRONG);
    }

    @Test
    void withoutCredentialsThereIsNoCallerOrTheAnonymousOne() throws Exception {
        assertThat(ask("", NONE, JANE)).isEqualTo(NONE);
        assertThat(
                        new AuthenticatorChain(List.of(), List.of(tokens(JANE)), true)
                                .authenticate(Credentials.NONE))
                .isEqualTo(known("system:anonymous", "system:unauthenticated"));
    }

    @ParameterizedTest
    @CsvSource({
        "jane, dev, true",
        "jane, system:authenticated, false",
        "jane, system:unauthenticated, false",
        "system:anonymous, dev, false",
    })
    void addsTheGroupOfAuthenticatedCallersAsUpstream(String name, String group, boolean added)
            throws Exception {
        Known expected = added ? known(name, group, "system:authenticated") : known(name, group);
        assertThat(ask("Bearer t", NONE, known(name, group))).isEqualTo(expected);
        assertThat(ask("", known(name, group))).isEqualTo(expected);
    }

    /** As a real API server was seen to do, and in the cases of upstream's own test. */
    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "Bearer tok,tok",
                "bearer tok,tok",
                "BEARER tok,tok",
                "Bearer tok ,tok",
                " Bearer tok,tok",
                "Bearer tok junk,tok",
                "Bearer tok a b c,tok",
                "Bearer tok   a,tok",
                "Bearer t\to,t\to",
            })
    void readsATokenAsUpstream(String authorization, String token) throws Exception {
        assertThat(ask(authorization, NONE, JANE)).isInstanceOf(Known.class);
        assertThat(asked).containsExactly(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "Bearer",
                "Bearer ",
                "Bearer  tok",
                "Basic YWxpY2U6eA==",
                "Digest x",
                "Token tok",
                "tok",
                "bear token",
                "Bearer: token",
                "Bearer\ttok",
                "Bearertok",
            })
    void otherHeadersAreNoCredentials(String authorization) throws Exception {
        assertThat(ask(authorization, NONE, JANE)).isEqualTo(NONE);
        assertThat(asked).isEmpty();
    }

    @Test
    void refusesATokenOfTooManyCharacters() throws Exception {
        String longest = "t".repeat(AuthenticatorChain.MAX_TOKEN_CHARS);
        assertThat(ask("Bearer " + longest, NONE, JANE)).isInstanceOf(Known.class);
        assertThat(ask("Bearer t" + longest, NONE, JANE)).isInstanceOf(Wrong.class);
        assertThat(asked).containsExactly(longest);
    }

    @Test
    void itsVersionMovesWithEachOfThem() {
        Certificates certificates = certificates(NONE);
        Fixed tokens = tokens(NONE);
        AuthenticatorChain chain =
                new AuthenticatorChain(List.of(certificates), List.of(tokens), false);
        AtomicInteger calls = new AtomicInteger();
        Runnable end = chain.onChange(calls::incrementAndGet);

        certificates.signal().raise();
        assertThat(chain.version()).isEqualTo(1);
        chain.refresh();
        assertThat(chain.version()).isEqualTo(2);
        assertThat(calls).hasValue(2);

        end.run();
        chain.refresh();
        assertThat(calls).hasValue(2);
    }

    @Test
    void survivesRandomHeaders() throws Exception {
        String alphabet = "bearBEAR \t:=\u0000é,";
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder header = new StringBuilder(random.nextBoolean() ? "Bearer" : "");
            for (int i = random.nextInt(12); i > 0; i--) {
                header.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            asked.clear();
            ask(header.toString(), NONE, NONE);
            assertThat(asked)
                    .as("seed %d", seed)
                    .allSatisfy(token -> assertThat(token).isNotEmpty().doesNotContain(" "));
        }
    }

    @Test
    void showsNoCredentials() {
        assertThat(bearer("Bearer sekret").toString()).doesNotContain("sekret");
    }
}
