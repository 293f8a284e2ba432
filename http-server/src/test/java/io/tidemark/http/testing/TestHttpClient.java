package io.tidemark.http.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Sends requests to one server, over HTTP/1.1 unless another protocol is given. For any thread. */
public final class TestHttpClient implements AutoCloseable {
    /** Of a whole response, unless a request has another. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String url;
    private final HttpClient client;

    /**
     * @param url in front of all paths
     */
    public TestHttpClient(String url) {
        this(
                url,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(LIMIT)
                        .build());
    }

    /**
     * @param client of another version of HTTP, or with TLS; closed with this
     */
    public TestHttpClient(String url, HttpClient client) {
        this.url = url;
        this.client = client;
    }

    /** A whole response. */
    public record Answer(int status, HttpHeaders headers, byte[] body) {
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** The first value; empty when there is none. */
        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }
    }

    public String url() {
        return url;
    }

    /**
     * A request for {@link #send(HttpRequest.Builder)}.
     *
     * @param headers names, each followed by its value
     */
    public HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        return headers.length > 0 ? request.headers(headers) : request;
    }

    public Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers));
    }

    /** Sends a request without a body. */
    public Answer send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        return send(request(path, headers).method(method, HttpRequest.BodyPublishers.noBody()));
    }

    public Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpRequest built = request.build();
        HttpRequest limited = built.timeout().isPresent() ? built : request.timeout(LIMIT).build();
        HttpResponse<byte[]> response = client.send(limited, BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), response.headers(), response.body());
    }

    /** Opens a stream; its lines are read one by one. */
    public LineStream open(String path, String... headers)
            throws IOException, InterruptedException {
        return new LineStream(
                client.send(request(path, headers).build(), BodyHandlers.ofInputStream()));
    }

    /** Aborts open requests and streams. */
    @Override
    public void close() {
        client.shutdownNow();
    }

    /** A response whose body is read on demand. */
    public static final class LineStream implements AutoCloseable {
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        private LineStream(HttpResponse<InputStream> response) {
            this.response = response;
            lines =
                    new BufferedReader(
                            new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        public int status() {
            return response.statusCode();
        }

        /** The first value; empty when there is none. */
        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** Waits for the next line; empty at the end of the stream. */
        public Optional<String> next() throws IOException {
            return Optional.ofNullable(lines.readLine());
        }

        @Override
        public void close() throws IOException {
            response.body().close();
        }
    }
}
