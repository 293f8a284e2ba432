package io.tidemark.bench.http;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A server to measure.
 *
 * @param name unique among the servers of a run
 * @param base http or https, with a host; the path is ignored
 * @param token bearer token; null for none
 * @param tls used for https
 * @param http2 whether to speak HTTP/2, over TLS only, and not HTTP/1.1
 * @param process the server's process on this machine; 0 when its use is not measured
 */
public record Target(
        String name,
        URI base,
        @Nullable String token,
        SSLContext tls,
        boolean http2,
        long process) {
    static final int CONNECT_MILLIS = 10_000;

    /**
     * @throws IllegalArgumentException for HTTP/2 without TLS
     */
    public Target {
        if (http2 && !base.getScheme().equals("https")) {
            throw new IllegalArgumentException("HTTP/2 needs https://, not " + base);
        }
    }

    /** The same server with the process whose use is measured. */
    public Target withProcess(long measured) {
        return new Target(name, base, token, tls, http2, measured);
    }

    /** Whether a connection is accepted, within ten seconds. */
    public boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(address(), CONNECT_MILLIS);
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    boolean isTls() {
        return base.getScheme().equals("https");
    }

    InetSocketAddress address() {
        return new InetSocketAddress(base.getHost(), port());
    }

    int port() {
        int port = base.getPort();
        return port >= 0 ? port : isTls() ? 443 : 80;
    }
}
