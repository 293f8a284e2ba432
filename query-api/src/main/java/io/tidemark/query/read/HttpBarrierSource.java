package io.tidemark.query.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks the connector over HTTP: {@code POST /barrier} answers {@code {"revision":N,"epoch":E}}. */
public final class HttpBarrierSource implements BarrierSource, AutoCloseable {
    /** More than any honest answer; what is longer is not read. */
    private static final int MAX_ANSWER = 4096;

    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client;
    private final Duration timeout;

    /**
     * @param timeout for one question; longer than any request waits makes no sense
     */
    public HttpBarrierSource(Duration timeout) {
        this.timeout = timeout;
        this.client = HttpClient.newBuilder().connectTimeout(timeout).build();
    }

    @Override
    public Barrier take(String connector) throws IOException, InterruptedException {
        HttpRequest request;
        try {
            request =
                    HttpRequest.newBuilder(URI.create(connector + "/barrier"))
                            .timeout(timeout)
                            .POST(BodyPublishers.noBody())
                            .build();
        } catch (IllegalArgumentException e) {
            throw new IOException("the connector's address makes no sense: " + connector, e);
        }
        HttpResponse<InputStream> response;
        try {
            response = client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new IOException(
                    "the connector at %s does not answer: %s".formatted(connector, reason(e)), e);
        }
        try (InputStream body = response.body()) {
            return parse(connector, response.statusCode(), body.readNBytes(MAX_ANSWER));
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private static Barrier parse(String connector, int status, byte[] body) throws IOException {
        JsonNode answer;
        try {
            answer = JSON.readTree(body);
        } catch (JsonProcessingException e) {
            throw new IOException(
                    "the connector at %s answered %d and no JSON".formatted(connector, status), e);
        }
        JsonNode revision = answer.path("revision");
        JsonNode epoch = answer.path("epoch");
        if (status != 200 || !revision.canConvertToLong() || !epoch.canConvertToLong()) {
            throw new IOException(
                    answer.path("error")
                            .asText(
                                    "the connector at %s answered %d"
                                            .formatted(connector, status)));
        }
        return new Barrier(epoch.asLong(), revision.asLong());
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
