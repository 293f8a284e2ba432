package io.tidemark.standalone.options.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.credentials.TlsIdentity;
import io.tidemark.local.FolderLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrialCertificateTest {
    private static final List<String> HOSTS = List.of("localhost", "127.0.0.1", "::1");

    @TempDir private Path data;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private X509Certificate certificate(List<String> hosts) throws Exception {
        TrialCertificate files = TrialCertificate.in(data, hosts, () -> now);
        X509Certificate made = TlsIdentity.read(files.certificate(), files.key()).certificate();
        made.verify(TlsIdentity.readAuthorities(files.authority()).getFirst().getPublicKey());
        assertThat(mode(files.key())).isEqualTo("rw-------");
        assertThat(mode(files.certificate())).isEqualTo("rw-r--r--");
        assertThat(mode(files.authority())).isEqualTo("rw-r--r--");
        return made;
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void isKeptWhileClientsCanUseIt() throws Exception {
        X509Certificate first = certificate(HOSTS);
        now = now.plus(Duration.ofDays(363));

        assertThat(certificate(HOSTS)).isEqualTo(first);
        assertThat(certificate(List.of("::1"))).isEqualTo(first);
    }

    @Test
    void isMadeAgainADayBeforeItEnds() throws Exception {
        X509Certificate first = certificate(HOSTS);
        now = now.plus(Duration.ofDays(364)).plusSeconds(1);

        assertThat(certificate(HOSTS).getNotAfter()).isAfter(first.getNotAfter());
    }

    @Test
    void isMadeAgainForAnotherHost() throws Exception {
        X509Certificate first = certificate(HOSTS);
        List<String> more = List.of("localhost", "127.0.0.1", "::1", "10.0.0.7", "pier");

        X509Certificate second = certificate(more);

        assertThat(second).isNotEqualTo(first);
        assertThat(certificate(more)).isEqualTo(second);
    }

    @Test
    void isKeptWhileAProcessUsesTheFolder() throws Exception {
        X509Certificate first = certificate(HOSTS);
        try (FolderLock _ = FolderLock.tryAcquire(data).orElseThrow()) {
            assertThat(certificate(List.of("pier"))).isEqualTo(first);
        }
    }
}
