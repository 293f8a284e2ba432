package io.tidemark.golden;

import io.tidemark.golden.recording.Answer;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.http.testing.RawResponse;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * A recorded request over a separate connection, with its request line and headers exactly as
 * recorded (other clients tidy paths, refuse methods and add headers), and its response.
 */
final class GoldenExchange implements AutoCloseable {
    private final RawHttp connection;
    private final RawResponse response;

    private GoldenExchange(RawHttp connection, RawResponse response) {
        this.connection = connection;
        this.response = response;
    }

    /**
     * Sends the request and returns when the headers of the answer have arrived.
     *
     * @param silence how long nothing may come before reading fails
     */
    static GoldenExchange open(InetSocketAddress server, RawRequest asked, Duration silence)
            throws IOException {
        RawHttp connection = new RawHttp(server, RawHttp.Options.DEFAULT.withSilence(silence));
        try {
            connection.send(encode(asked, server.getPort()));
            return new GoldenExchange(connection, response(connection, asked));
        } catch (IOException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static RawResponse response(RawHttp connection, RawRequest asked) throws IOException {
        return connection
                .nextResponse(asked.method().equals("HEAD"))
                .orElseThrow(() -> new EOFException("closed instead of a response"));
    }

    /** The whole exchange. */
    static Answer ask(InetSocketAddress server, RawRequest asked, Duration silence)
            throws IOException {
        try (GoldenExchange exchange = open(server, asked, silence)) {
            return new Answer(
                    exchange.status(), exchange.headers(), exchange.body().readAllBytes());
        }
    }

    int status() {
        return response.status();
    }

    /** With names in lower case; values of a repeated one are joined by a comma. */
    Map<String, String> headers() {
        Map<String, String> joined = new TreeMap<>();
        response.headers().keySet().forEach(name -> joined.put(name, response.header(name)));
        return joined;
    }

    /** Without its transfer and content encoding; call it once. */
    InputStream body() throws IOException {
        boolean packed = response.header("content-encoding").equals("gzip");
        return packed ? new GZIPInputStream(response.body()) : response.body();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private static byte[] encode(RawRequest asked, int port) {
        StringBuilder head = new StringBuilder();
        head.append(asked.method()).append(' ').append(asked.target()).append(" HTTP/1.1\r\n");
        head.append("Host: 127.0.0.1:").append(port).append("\r\n");
        asked.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        if (asked.body().length > 0) {
            head.append("Content-Length: ").append(asked.body().length).append("\r\n");
        }
        head.append("\r\n");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(asked.body());
        return bytes.toByteArray();
    }
}
