package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the authority behind a chain of certificates ends. */
class ClientAuthoritiesTest {
    private static final Instant SOON = in(Duration.ofDays(1));
    private static final Instant PAST = in(Duration.ofDays(-1));
    private static final Instant LATE = in(Duration.ofDays(30));

    @TempDir private Path folder;

    private final Party root = new Party("root");
    private final Party issuer = new Party("issuer");
    private final Party client = new Party("jane");

    /** A name and its key. */
    private record Party(X500Principal name, KeyPair keys) {
        Party(String name) {
            this(new X500Principal("CN=" + name), CertificateAuthority.newKeys());
        }

        X509Certificate signs(Party subject, boolean authority, Instant until) {
            return CertificateAuthority.sign(
                    new JcaX509v3CertificateBuilder(
                            name,
                            BigInteger.valueOf(System.nanoTime()),
                            Date.from(in(Duration.ofDays(-9))),
                            Date.from(until),
                            subject.name,
                            subject.keys.getPublic()),
                    keys,
                    new BasicConstraints(authority),
                    new KeyUsage(authority ? KeyUsage.keyCertSign : KeyUsage.digitalSignature));
        }
    }

    private static Instant in(Duration time) {
        return Instant.now().plus(time).truncatedTo(ChronoUnit.SECONDS);
    }

    /** Empty if no authority vouches for the first certificate. */
    private Optional<Instant> end(List<X509Certificate> trusted, X509Certificate... chain)
            throws Exception {
        Path file = folder.resolve("ca.crt");
        PemWriter.write(file, trusted);
        try {
            return Optional.of(
                    new ClientAuthorities(file, System::nanoTime)
                            .current()
                            .require(List.of(chain)));
        } catch (CertificateException _) {
            return Optional.empty();
        }
    }

    @Test
    void isThatOfTheAuthorityBehindAnIntermediateOne() throws Exception {
        assertThat(
                        end(
                                List.of(root.signs(root, true, SOON)),
                                issuer.signs(client, false, LATE),
                                root.signs(issuer, true, LATE)))
                .contains(SOON);
    }

    /** A home-made certificate with the intermediate one's name and key leads nowhere. */
    @Test
    void isNotHiddenByACertificateThatNoAuthoritySigned() throws Exception {
        assertThat(
                        end(
                                List.of(root.signs(root, true, PAST)),
                                issuer.signs(client, false, LATE),
                                new Party("nowhere").signs(issuer, true, LATE),
                                root.signs(issuer, true, LATE)))
                .isIn(Optional.of(PAST), Optional.empty());
    }

    /** The client signs its authority's name and key with the key of another certificate. */
    @Test
    void isNotThatOfAnotherAuthorityOfTheClients() throws Exception {
        Party other = new Party("other");
        Party mine = new Party("mine");
        assertThat(
                        end(
                                List.of(
                                        root.signs(root, true, PAST),
                                        other.signs(other, true, LATE)),
                                root.signs(client, false, LATE),
                                mine.signs(root, true, LATE),
                                other.signs(mine, false, LATE)))
                .isIn(Optional.of(PAST), Optional.empty());
    }

    /** While an authority is replaced, the new one signs the old one's key. */
    @Test
    void isTheLastOfSeveralPaths() throws Exception {
        assertThat(
                        end(
                                List.of(
                                        issuer.signs(issuer, true, PAST),
                                        root.signs(root, true, SOON)),
                                issuer.signs(client, false, LATE),
                                root.signs(issuer, true, LATE)))
                .contains(SOON);
    }

    @Test
    void aTrustedCertificateEndsByItsDates() throws Exception {
        X509Certificate trusted = client.signs(client, false, SOON);
        assertThat(end(List.of(trusted), trusted)).contains(Instant.MAX);
    }
}
