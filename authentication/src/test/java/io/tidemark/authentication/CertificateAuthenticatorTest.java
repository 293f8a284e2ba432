package io.tidemark.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authentication.Authentication.Known;
import io.tidemark.authentication.Authentication.None;
import io.tidemark.authentication.Authentication.Wrong;
import io.tidemark.credentials.CertificateAuthority;
import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.ClientAuthorities;
import io.tidemark.credentials.PemWriter;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateAuthenticatorTest {
    @TempDir private Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final CertificateAuthority authority = newAuthority();
    private Instant now = Instant.now();
    private CertificateAuthenticator authenticator;

    /** By a fixed clock: its certificate ends in the same second as those that it issues. */
    private static CertificateAuthority newAuthority() {
        return CertificateAuthority.create("test", InstantSource.fixed(Instant.now()));
    }

    @BeforeEach
    void open() throws Exception {
        trust(authority);
        authenticator =
                new CertificateAuthenticator(
                        new ClientAuthorities(folder.resolve("ca.crt"), nanos::get), () -> now);
    }

    private void trust(CertificateAuthority... trusted) throws IOException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (CertificateAuthority each : trusted) {
            certificates.addAll(each.identity().chain());
        }
        Files.deleteIfExists(folder.resolve("ca.crt"));
        PemWriter.write(folder.resolve("ca.crt"), certificates);
    }

    private Authentication ask(TlsIdentity client) {
        return ask(client.chain());
    }

    private Authentication ask(List<X509Certificate> chain) {
        return authenticator.authenticate(new Credentials(chain, ""));
    }

    private Authentication askAs(String subject) {
        return ask(authority.issue(subject, List.of(), Use.CLIENT));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=jane                          | jane            | ''",
                "CN=jane,O=dev                    | jane            | dev",
                "O=ops,CN=jane,O=dev              | jane            | dev ops",
                "CN=jane+O=dev                    | jane            | dev",
                "O=a+O=b+CN=jane,OU=x             | jane            | a b",
                "CN=system:kube-proxy,O=system:x  | system:kube-proxy | system:x",
                "CN=a\\,O\\=system:masters        | a,O=system:masters | ''",
            })
    void theCommonNameIsTheUserAndOrganizationsAreGroups(
            String subject, String user, String groups) {
        Known known = (Known) askAs(subject);

        assertThat(known.caller().name()).isEqualTo(user);
        assertThat(known.caller().groups())
                .containsExactlyInAnyOrder(groups.isEmpty() ? new String[0] : groups.split(" "));
        assertThat(known.caller().uid()).isEmpty();
    }

    /** RFC 2253 writes the last attribute of a name first. */
    @Test
    void theLastCommonNameCounts() {
        assertThat(((Known) askAs("CN=last,CN=first")).caller().name()).isEqualTo("last");
    }

    @Test
    void isEndedByTheCertificate() {
        TlsIdentity client = authority.issue("CN=jane", List.of(), Use.CLIENT);
        Instant end = client.certificate().getNotAfter().toInstant();

        assertThat(((Known) ask(client)).until()).isEqualTo(end);
        now = end;
        assertThat(ask(client)).isInstanceOf(Known.class);
        now = end.plusSeconds(1);
        assertThat(ask(client)).isInstanceOf(Wrong.class);
        now = client.certificate().getNotBefore().toInstant().minusSeconds(1);
        assertThat(ask(client)).isInstanceOf(Wrong.class);
    }

    @Test
    void isEndedByTheFirstCertificateOfTheChainThatExpires() {
        CertificateAuthority older =
                CertificateAuthority.of(
                        authority.identity(),
                        InstantSource.fixed(Instant.now().minus(Duration.ofDays(30))));
        TlsIdentity client = authority.issue("CN=jane", List.of(), Use.CLIENT);
        TlsIdentity issuer = older.issue("CN=issuer", List.of(), Use.CLIENT);
        Instant end = issuer.certificate().getNotAfter().toInstant();

        List<X509Certificate> chain = List.of(client.certificate(), issuer.certificate());
        assertThat(((Known) ask(chain)).until()).isEqualTo(end);
        now = end.plusSeconds(1);
        assertThat(ask(chain)).isInstanceOf(Wrong.class);
    }

    /** As for an API server; the JDK does not look at the dates of an authority. */
    @Test
    void isEndedByTheAuthorityThatExpires() throws Exception {
        CertificateAuthority older =
                CertificateAuthority.create(
                        "older", InstantSource.fixed(Instant.now().minus(Duration.ofDays(30))));
        trust(older, authority);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        TlsIdentity client =
                CertificateAuthority.of(older.identity(), InstantSource.system())
                        .issue("CN=jane", List.of(), Use.CLIENT);
        TlsIdentity other = authority.issue("CN=joe", List.of(), Use.CLIENT);
        Instant end = older.identity().certificate().getNotAfter().toInstant();

        now = end;
        assertThat(((Known) ask(client)).until()).isEqualTo(end);
        now = end.plusSeconds(1);
        assertThat(ask(client)).isInstanceOf(Wrong.class);
        assertThat(ask(List.of(client.certificate(), other.certificate())))
                .isInstanceOf(Wrong.class);
    }

    @Test
    void refusesACertificateOfAServer() {
        TlsIdentity server = authority.issue("CN=jane", List.of("localhost"), Use.SERVER);
        TlsIdentity client = authority.issue("CN=jane", List.of(), Use.CLIENT);

        assertThat(ask(server)).isInstanceOf(Wrong.class);
        assertThat(ask(List.of(client.certificate(), server.certificate())))
                .isInstanceOf(Wrong.class);
        assertThat(ask(authority.issue("CN=jane", List.of(), Use.BOTH))).isInstanceOf(Known.class);
    }

    @Test
    void aCertificateWithoutUsagesIsForEverything() {
        assertThat(ask(authority.identity())).isInstanceOf(Known.class);
    }

    @Test
    void refusesAnotherAuthority() {
        assertThat(ask(newAuthority().issue("CN=jane", List.of(), Use.CLIENT)))
                .isInstanceOf(Wrong.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"O=dev", "OU=jane", "CN="})
    void withoutACommonNameIsNoCredential(String subject) {
        assertThat(askAs(subject)).isEqualTo(new None());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5.4.3=#020105", "CN=jane,2.5.4.10=#020105"})
    void refusesASubjectThatIsNoText(String subject) {
        assertThat(askAs(subject)).isInstanceOf(Wrong.class);
    }

    @Test
    void readsNoHeader() {
        assertThat(authenticator.authenticate(new Credentials(List.of(), "Bearer t")))
                .isEqualTo(new None());
        assertThat(authenticator.authenticate(Credentials.NONE)).isEqualTo(new None());
    }

    @Test
    void anAuthorityThatIsRemovedEndsItsClients() throws Exception {
        TlsIdentity client = authority.issue("CN=jane", List.of(), Use.CLIENT);
        CertificateAuthority next = newAuthority();
        AtomicInteger calls = new AtomicInteger();
        authenticator.onChange(calls::incrementAndGet);
        assertThat(ask(client)).isInstanceOf(Known.class);

        trust(next);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        authenticator.refresh();

        assertThat(calls).hasValue(1);
        assertThat(authenticator.version()).isEqualTo(1);
        assertThat(ask(client)).isInstanceOf(Wrong.class);
        assertThat(ask(next.issue("CN=jane", List.of(), Use.CLIENT))).isInstanceOf(Known.class);
    }
}
