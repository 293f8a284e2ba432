package io.tidemark.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * HTTP client of one server. Responses begin in time and go on, and streams end after a time: a
 * server whose machine is gone never ends a connection.
 */
public final class NodeApiClient implements AutoCloseable {
    public static final JsonMapper JSON = new JsonMapper();
    public static final String AS_JSON = "application/json";
    static final String AS_YAML = "application/yaml";
    static final String AS_TABLE = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json";

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofSeconds(60);

    /** How long the server sends a stream, and how much later the client gives it up. */
    private static final Duration STREAM = Duration.ofMinutes(5);

    private static final Duration GRACE = Duration.ofSeconds(30);

    /** How long a request is repeated that a busy server refuses, as it does in a rebalance. */
    private static final Duration BUSY = Duration.ofSeconds(30);

    /** In the place of none, so as not to ask all the time. */
    private static final Duration SHORTEST_RETRY = Duration.ofMillis(100);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private static final int OK = 200;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    private static final int MAX_ERROR_BYTES = 64 << 10;

    private final String server;
    private final HttpClient client;
    private final Duration longestPause;
    private final Duration longestRetries;

    /**
     * @param server such as {@code http://127.0.0.1:8080}
     * @param tls for https; without it the JDK's authorities are trusted
     */
    NodeApiClient(URI server, Optional<SSLContext> tls) {
        this(server, tls, PAUSE, BUSY);
    }

    /**
     * @param longestPause until a response begins, and between the parts of one that is not a
     *     stream
     * @param longestRetries of a request for a whole response, together
     */
    NodeApiClient(
            URI server, Optional<SSLContext> tls, Duration longestPause, Duration longestRetries) {
        this.longestPause = longestPause;
        this.longestRetries = longestRetries;
        this.server = server.toString().replaceAll("/+$", "");
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT);
        tls.ifPresent(builder::sslContext);
        this.client = builder.build();
    }

    /** A response with status 200. */
    public record Answer(String body, HttpResponse<InputStream> response) {
        /** A header; empty if the response does not have it. */
        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public JsonNode json() throws ApiException {
            return parse(body);
        }
    }

    /**
     * Reads a whole response. Repeats the request for a while when the server asks for it.
     *
     * @param path with its query
     * @throws ApiException when there is no response, or its status is not 200
     */
    public Answer get(String path, String accept) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        while (true) {
            try {
                return getOnce(path, accept);
            } catch (ApiException e) {
                Duration pause = e.retryAfter().orElseThrow(() -> e);
                Duration passed = Duration.ofNanos(System.nanoTime() - begin);
                if (passed.plus(pause).compareTo(longestRetries) >= 0) {
                    throw e;
                }
                Thread.sleep(pause);
            }
        }
    }

    private Answer getOnce(String path, String accept) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = send(request(path, accept));
        try (TimedBody body = new TimedBody(response.body(), longestPause)) {
            return new Answer(new String(body.readRest(), StandardCharsets.UTF_8), response);
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /**
     * Opens a watch's response of lines, which ends after five minutes. The caller closes it.
     *
     * @param path with its query, but without {@code timeoutSeconds}
     * @throws ApiException when there is no response, or its status is not 200
     */
    public BufferedReader lines(String path, String accept)
            throws IOException, InterruptedException {
        return lines(path + "&timeoutSeconds=" + STREAM.toSeconds(), accept, STREAM.plus(GRACE));
    }

    /** Opens a response of lines, and closes it after a time even if nothing arrives. */
    BufferedReader lines(String path, String accept, Duration longest)
            throws IOException, InterruptedException {
        InputStream body = send(request(path, accept)).body();
        return new BufferedReader(
                new InputStreamReader(new TimedBody(body, longest), StandardCharsets.UTF_8));
    }

    public static JsonNode parse(String text) throws ApiException {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ApiException(
                    "the server's response is not JSON: is it a Tidemark node? " + firstLine(text),
                    e);
        }
    }

    private HttpRequest request(String path, String accept) {
        return HttpRequest.newBuilder(URI.create(server + path))
                .header("Accept", accept)
                .timeout(longestPause)
                .build();
    }

    private HttpResponse<InputStream> send(HttpRequest request)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response;
        try {
            response = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw unreachable(e);
        }
        if (response.statusCode() == OK) {
            return response;
        }
        String text;
        try (InputStream body = new TimedBody(response.body(), longestPause)) {
            text = new String(body.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw unreachable(e);
        }
        int status = response.statusCode();
        throw new ApiException(status, message(status, text), retryAfter(response));
    }

    /** Null if the server does not ask for a retry, or names a date. */
    private static @Nullable Duration retryAfter(HttpResponse<?> response) {
        if (response.statusCode() != TOO_MANY_REQUESTS && response.statusCode() != UNAVAILABLE) {
            return null;
        }
        String seconds = response.headers().firstValue("Retry-After").orElse("");
        if (!SECONDS.matcher(seconds).matches()) {
            return null;
        }
        Duration asked = Duration.ofSeconds(Long.parseLong(seconds));
        return asked.isZero() ? SHORTEST_RETRY : asked;
    }

    private static String message(int status, String text) {
        try {
            String message = JSON.readTree(text).path("message").asText();
            return message.isEmpty() ? status + " " + firstLine(text) : message;
        } catch (JsonProcessingException _) {
            return status + " " + firstLine(text);
        }
    }

    private ApiException unreachable(IOException e) {
        String why =
                switch (e) {
                    case ConnectException _ -> "connection failed";
                    case HttpTimeoutException _ -> "no response in time";
                    case SSLHandshakeException _ ->
                            "no trust in its certificate: name its authority in"
                                    + " --certificate-authority: "
                                    + e.getMessage();
                    default -> String.valueOf(e.getMessage());
                };
        return new ApiException(
                "cannot reach %s: %s; start a node with 'tidemark up', or name another in --server"
                        .formatted(server, why),
                e);
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("").strip();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
