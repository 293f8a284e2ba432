package io.tidemark.http;

import java.time.Duration;

/**
 * Where an HTTP server listens, and what it takes from its clients.
 *
 * @param host and {@code port} to listen on, port 0 for any free one
 * @param headerBytes of one request, its line included; above it 431
 * @param stalledClient a client that moves no byte of a request or its answer for this long is
 *     disconnected
 * @param allowedHosts by which names it may be called; others are refused with 403
 */
public record HttpServerSettings(
        String host,
        int port,
        int headerBytes,
        Duration stalledClient,
        AllowedHosts allowedHosts,
        ConnectionLimits connections) {
    /** What the API server takes as well. */
    public static final int HEADER_BYTES = 32 << 10;

    public HttpServerSettings {
        if (headerBytes < 1024 || !stalledClient.isPositive()) {
            throw new IllegalArgumentException(
                    "headers of %d bytes, %s of silence".formatted(headerBytes, stalledClient));
        }
    }

    /** Of a server that is called by loopback names, by addresses, and by what it listens on. */
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
