package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.credentials.testing.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerTlsTest {
    @TempDir private Path folder;
    private long now;

    /** The key and the certificate match, but the JDK refuses the chain. */
    @Test
    void keepsTheContextWhileTheChainIsUnusable() throws Exception {
        TestCertificates files = new TestCertificates(folder);
        ServerTls tls =
                new ServerTls(
                        files.certificateFile(), files.keyFile(), Optional.empty(), () -> now);
        SSLContext first = tls.context();
        long validUntil = tls.validUntilMillis();
        List<X509Certificate> chain = new ArrayList<>(files.writeServer("CN=renewed").chain());
        CertificateAuthority other = CertificateAuthority.create("other", InstantSource.system());
        chain.add(1, other.identity().certificate());
        Files.delete(files.certificateFile());
        PemWriter.write(files.certificateFile(), chain);
        now += Duration.ofSeconds(1).toNanos();
        assertThat(tls.context()).isSameAs(first);
        assertThat(tls.context()).isSameAs(first);
        assertThat(tls.validUntilMillis()).isEqualTo(validUntil);
        files.writeServer("CN=repaired");
        now += Duration.ofSeconds(1).toNanos();
        assertThat(tls.context()).isNotSameAs(first);
    }
}
