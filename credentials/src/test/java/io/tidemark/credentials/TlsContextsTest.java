package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.credentials.CertificateAuthority.Use;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;

/** Handshakes between two engines, without sockets. */
class TlsContextsTest {
    private static final InstantSource NOW = InstantSource.system();

    private final CertificateAuthority authority = CertificateAuthority.create("one", NOW);
    private final CertificateAuthority other = CertificateAuthority.create("two", NOW);

    private static SSLContext context(TlsIdentity identity, CertificateAuthority trusted) {
        return TlsContexts.of(Optional.of(identity), trusted.identity().chain());
    }

    private SSLContext server() {
        return context(authority.issue("CN=s", List.of("server"), Use.SERVER), authority);
    }

    /** The client's certificate as the server sees it. */
    private static X509Certificate handshake(SSLContext server, SSLContext client)
            throws SSLException {
        SSLEngine one = client.createSSLEngine("server", 1);
        one.setUseClientMode(true);
        javax.net.ssl.SSLParameters named = one.getSSLParameters();
        named.setEndpointIdentificationAlgorithm("HTTPS");
        one.setSSLParameters(named);
        SSLEngine two = server.createSSLEngine();
        two.setUseClientMode(false);
        two.setNeedClientAuth(true);
        int bytes = one.getSession().getPacketBufferSize();
        ByteBuffer toServer = ByteBuffer.allocate(4 * bytes);
        ByteBuffer toClient = ByteBuffer.allocate(4 * bytes);
        for (int turn = 0; turn < 100; turn++) {
            step(one, toClient, toServer);
            step(two, toServer, toClient);
        }
        return (X509Certificate) two.getSession().getPeerCertificates()[0];
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            engine.getDelegatedTask().run();
        } else if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            engine.wrap(ByteBuffer.allocate(0), out);
        } else {
            in.flip();
            engine.unwrap(in, plain);
            in.compact();
            if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                    && out.position() == 0) {
                engine.wrap(ByteBuffer.allocate(0), out);
            }
        }
    }

    @Test
    void acceptsACertificateOfTheAuthority() throws Exception {
        TlsIdentity jane = authority.issue("CN=jane,O=a", List.of(), Use.CLIENT);
        assertThat(handshake(server(), context(jane, authority))).isEqualTo(jane.certificate());
    }

    @Test
    void refusesAClientOfAnotherAuthority() {
        TlsIdentity foreign = other.issue("CN=jane", List.of(), Use.CLIENT);
        assertThatThrownBy(() -> handshake(server(), context(foreign, authority)))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void refusesAServersCertificateFromAClient() {
        TlsIdentity server = authority.issue("CN=jane", List.of("server"), Use.SERVER);
        assertThatThrownBy(() -> handshake(server(), context(server, authority)))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void refusesAnExpiredClient() {
        InstantSource lastYear = () -> NOW.instant().minus(Duration.ofDays(400));
        CertificateAuthority sameKey = CertificateAuthority.of(authority.identity(), lastYear);
        TlsIdentity expired = sameKey.issue("CN=jane", List.of(), Use.CLIENT);
        assertThatThrownBy(() -> handshake(server(), context(expired, authority)))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void refusesAServerOfAnotherNameOrAuthority() {
        TlsIdentity jane = authority.issue("CN=jane", List.of(), Use.CLIENT);
        SSLContext elsewhere =
                context(authority.issue("CN=s", List.of("elsewhere"), Use.SERVER), authority);
        assertThatThrownBy(() -> handshake(elsewhere, context(jane, authority)))
                .isInstanceOf(SSLException.class);
        assertThatThrownBy(() -> handshake(server(), context(jane, other)))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void trustsNoAuthorityUnlessNamed() throws Exception {
        TlsIdentity jane = authority.issue("CN=jane", List.of(), Use.CLIENT);
        SSLContext trusting = TlsContexts.of(Optional.of(jane), List.of());
        assertThatThrownBy(() -> handshake(server(), trusting)).isInstanceOf(SSLException.class);
        TrustManagerFactory jdk =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        jdk.init((KeyStore) null);
        X509TrustManager usual = (X509TrustManager) jdk.getTrustManagers()[0];
        assertThat(usual.getAcceptedIssuers()).isNotEmpty();
    }
}
