package io.tidemark.http;

import java.time.Duration;

/**
 * Address and input limits of an HTTP server.
 *
 * @param host and {@code port} to listen on, port 0 for any free one
 * @param headerBytes limit of one request's headers and request line; above it 431
 * @param stalledClient a client that moves no byte of a request or its answer for this long is
 *     disconnected
 * @param allowedHosts accepted Host names; others are rejected with 403
 */
public record HttpServerSettings(
        String host,
        int port,
        int headerBytes,
        Duration stalledClient,
        AllowedHosts allowedHosts,
        ConnectionLimits connections) {
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
                ConnectionLimits.INTERNAL);
    }

    public HttpServerSettings withAllowedHosts(AllowedHosts hosts) {
        return new HttpServerSettings(host, port, headerBytes, stalledClient, hosts, connections);
    }

    public HttpServerSettings withConnections(ConnectionLimits limits) {
        return new HttpServerSettings(host, port, headerBytes, stalledClient, allowedHosts, limits);
    }
}
