package io.tidemark.http;

import io.tidemark.credentials.ServerTls;
import java.util.Optional;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.WindowRateControl;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HostHeaderCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The protocols of a listener: HTTP/1.1, or HTTP/2 and HTTP/1.1 over TLS 1.3 or 1.2.
 *
 * @param factories for a connector, that of new connections first
 * @param tlsContexts of the TLS sessions to come; empty without TLS
 */
record Protocols(ConnectionFactory[] factories, Optional<SslContextFactory.Server> tlsContexts) {
    /** Its name in ALPN (RFC 7301), which is not that of Jetty's factory. */
    private static final String HTTP1 = "http/1.1";

    /** All watches of a client may be streams of one connection. */
    private static final int STREAMS = 250;

    /**
     * Frames per second that cost the server more than its client, such as resets of streams:
     * enough to end all streams of a connection at once, but not again and again (CVE-2023-44487).
     */
    private static final int COSTLY_FRAMES = 2 * STREAMS;

    static Protocols of(HttpConfiguration http, Optional<ServerTls> tls) {
        HttpConnectionFactory http1 = new HttpConnectionFactory(http);
        if (tls.isEmpty()) {
            return new Protocols(new ConnectionFactory[] {http1}, Optional.empty());
        }
        // Nothing depends on the name that a client sends in TLS: HostCheck judges the Host header.
        http.addCustomizer(new SecureRequestCustomizer(false));
        http.addCustomizer(new HostHeaderCustomizer()); // HTTP/2 has no header Host.
        HTTP2ServerConnectionFactory http2 = new HTTP2ServerConnectionFactory(http);
        http2.setMaxConcurrentStreams(STREAMS);
        http2.setRateControlFactory(new WindowRateControl.Factory(COSTLY_FRAMES));
        http2.setConnectProtocolEnabled(false);
        ALPNServerConnectionFactory negotiation =
                new ALPNServerConnectionFactory(http2.getProtocol(), HTTP1);
        negotiation.setDefaultProtocol(HTTP1);
        SslContextFactory.Server contexts = contexts(tls.get());
        SslConnectionFactory encryption =
                new SslConnectionFactory(contexts, negotiation.getProtocol());
        encryption.setEnsureSecureRequestCustomizer(false);
        return new Protocols(
                new ConnectionFactory[] {encryption, negotiation, http2, http1},
                Optional.of(contexts));
    }

    private static SslContextFactory.Server contexts(ServerTls tls) {
        SslContextFactory.Server contexts = new SslContextFactory.Server();
        contexts.setSslContext(tls.context());
        contexts.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        contexts.setWantClientAuth(tls.asksClients());
        contexts.setRenegotiationAllowed(false);
        return contexts;
    }
}
