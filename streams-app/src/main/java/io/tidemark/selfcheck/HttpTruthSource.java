package io.tidemark.selfcheck;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks the connector over HTTP, see its {@code /digest} and {@code /digest/keys}. */
public final class HttpTruthSource implements TruthSource, AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** For all keys of a group; a connector that falls silent does not hold the check up longer. */
    private static final Duration KEYS_TIMEOUT = Duration.ofMinutes(2);

    /** More than {@link io.tidemark.digest.DigestTable#MAX_SLOTS} take. */
    private static final int MAX_ANSWER = 16 << 20;

    /** What ends a complete answer. */
    private static final String END = "end";

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private @Nullable Truth newest;
    private String newestTag = "";

    @Override
    public Truth newest(String connector, int partitions) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(connector + "/digest?partitions=" + partitions).timeout(TIMEOUT);
        @Nullable Truth known = newest;
        if (known != null && known.partitions() == partitions) {
            request.header("If-None-Match", newestTag);
        }
        HttpResponse<InputStream> response = send(connector, request.build());
        try (InputStream body = closedAfter(response.body(), TIMEOUT)) {
            if (response.statusCode() == 304 && known != null) {
                return known;
            }
            byte[] answer = body.readNBytes(MAX_ANSWER);
            if (response.statusCode() != 200) {
                throw new IOException(error(connector, response.statusCode(), answer));
            }
            Truth truth = TruthJson.parse(answer);
            newest = truth;
            newestTag = response.headers().firstValue("ETag").orElse("");
            return truth;
        }
    }

    @Override
    public Keys keys(String connector, Truth truth, int partition, Bytes group)
            throws IOException, InterruptedException {
        String url =
                "%s/digest/keys?epoch=%d&revision=%d&partitions=%d&partition=%d&groups=%b&group=%s"
                        .formatted(
                                connector,
                                truth.epoch(),
                                truth.revision(),
                                truth.partitions(),
                                partition,
                                truth.table().byGroup(),
                                URLEncoder.encode(group.utf8(), StandardCharsets.UTF_8));
        HttpResponse<InputStream> response =
                send(connector, request(url).timeout(KEYS_TIMEOUT).build());
        InputStream body = closedAfter(response.body(), KEYS_TIMEOUT);
        if (response.statusCode() != 200) {
            try (body) {
                throw new IOException(
                        error(connector, response.statusCode(), body.readNBytes(1 << 10)));
            }
        }
        return new Lines(body);
    }

    private static HttpRequest.Builder request(String url) throws IOException {
        try {
            return HttpRequest.newBuilder(URI.create(url));
        } catch (IllegalArgumentException e) {
            throw new IOException("the connector's address makes no sense: " + url, e);
        }
    }

    private HttpResponse<InputStream> send(String connector, HttpRequest request)
            throws IOException, InterruptedException {
        try {
            return client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new IOException(
                    "the connector at %s does not answer: %s".formatted(connector, e), e);
        }
    }

    /** Reading from a client's body has no limit of its own. */
    private static InputStream closedAfter(InputStream body, Duration longest) {
        CompletableFuture.delayedExecutor(longest.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    try {
                        body.close();
                    } catch (IOException _) {
                        // It was over already.
                    }
                });
        return body;
    }

    private static String error(String connector, int status, byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        return "the connector at %s answered %d %s".formatted(connector, status, text);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /** A line for each key: its revision, and the key in hexadecimal. */
    private static final class Lines implements Keys {
        private final BufferedReader lines;

        Lines(InputStream body) {
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.US_ASCII));
        }

        @Override
        public Optional<KeyRevision> next() throws IOException {
            @Nullable String line = lines.readLine();
            if (line == null) {
                throw new IOException("the keys broke off");
            }
            if (line.equals(END)) {
                return Optional.empty();
            }
            int space = line.indexOf(' ');
            try {
                return Optional.of(
                        new KeyRevision(
                                Bytes.wrap(HexFormat.of().parseHex(line.substring(space + 1))),
                                Long.parseLong(line, 0, space, 10)));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IOException("no key: " + line, e);
            }
        }

        @Override
        public void close() {
            try {
                lines.close();
            } catch (IOException _) {
                // Nothing more is wanted of it.
            }
        }
    }
}
