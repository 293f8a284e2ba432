package io.tidemark.http;

import io.tidemark.credentials.ServerTls;
import java.time.Duration;
import java.util.Optional;

/**
 * Address and input limits of an HTTP server.
 *
 * @param host and {@code port} to listen on, port 0 for any free one
 * @param headerBytes limit of one request's headers and request line; above it 431
 * @param stalledClient a client that moves no byte of a request or its answer for this long is
 *     disconnected
 * @param allowedHosts accepted Host names; others are rejected with 403
 * @param tls without it the server speaks plain HTTP/1.1; with it HTTP/1.1 and HTTP/2 over TLS
 */
public record HttpServerSettings(
        String host,
        int port,
        int headerBytes,
        Duration stalledClient,
        AllowedHosts allowedHosts,
        ConnectionLimits connections,
        Optional<ServerTls> tls) {
    /** The API server's limit. */
    public static final int HEADER_BYTES = 32 << 10;

    public HttpServerSettings {
        if (headerBytes < 1024 || !stalledClient.isPositive()) {
            throw new IllegalArgumentException(
                    "headers of %d bytes, %s of silence".formatted(headerBytes, stalledClient));
        }
    }

    /** Accepts loopback names, addresses, and the host listened on. */
    public HttpServerSettings(String host, int port, int headerBytes, Duration stalledClient) {
        this(
                host,
                port,
                headerBytes,
                stalledClient,
                AllowedHosts.of(host),
                ConnectionLimits.INTERNAL,
                Optional.empty());
    }

    public HttpServerSettings withAllowedHosts(AllowedHosts hosts) {
        return new HttpServerSettings(
                host, port, headerBytes, stalledClient, hosts, connections, tls);
    }

    public HttpServerSettings withConnections(ConnectionLimits limits) {
        return new HttpServerSettings(
                host, port, headerBytes, stalledClient, allowedHosts, limits, tls);
    }

    /** Speaks TLS. */
    public HttpServerSettings withTls(ServerTls secured) {
        return new HttpServerSettings(
                host,
                port,
                headerBytes,
                stalledClient,
                allowedHosts,
                connections,
                Optional.of(secured));
    }
}
