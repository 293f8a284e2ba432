package io.tidemark.chaos.client;

import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * One GET over a separate connection, as simple as possible: hundreds of open watches must cost
 * this JVM almost nothing.
 */
final class HttpExchange implements AutoCloseable {
    private final RawHttp connection;
    private final RawResponse response;

    /**
     * Sends the request and reads the response's head.
     *
     * @param silence longest wait for the connection and for the next bytes
     * @throws IOException when there is no response
     */
    HttpExchange(NodeTable.Address node, String path, Duration silence) throws IOException {
        connection =
                new RawHttp(
                        new InetSocketAddress(node.host(), node.port()),
                        RawHttp.Options.DEFAULT.withSilence(silence));
        try {
            connection.get(
                    path, "User-Agent: chaos", "Accept: application/json", "Connection: close");
            response = connection.response();
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    int status() {
        return response.status();
    }

    /** A header's value; empty when there is none. */
    String header(String name) {
        return response.header(name);
    }

    /** Retry-After in seconds. */
    OptionalLong retryAfterSeconds() {
        String value = header("retry-after");
        return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(value));
    }

    /**
     * The whole body.
     *
     * @throws EOFException when the connection ended before the body did
     */
    byte[] body() throws IOException {
        return response.body().readAllBytes();
    }

    /**
     * The next line of the body into {@code line}, without its end; false at the proper end of the
     * body.
     *
     * @throws EOFException when the connection ended before the body did
     */
    boolean nextLine(LineBuffer line) throws IOException {
        line.clear();
        InputStream body = response.body();
        for (int next = body.read(); next >= 0; next = body.read()) {
            if (next == '\n') {
                return true;
            }
            line.add((byte) next);
        }
        return false;
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
