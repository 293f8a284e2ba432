package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A plain HTTP client of one node. */
public final class Api {
    public static final ObjectMapper JSON = new ObjectMapper();

    private final String url;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    public Api(String url) {
        this.url = url;
    }

    public record Answer(int status, String body) {
        public JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (IOException e) {
                throw new AssertionError("no JSON: " + body, e);
            }
        }
    }

    public String url() {
        return url;
    }

    public Answer get(String path) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(url + path)).GET());
    }

    public Answer send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> response =
                http.send(
                        request.timeout(Duration.ofSeconds(60)).build(),
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return new Answer(response.statusCode(), response.body());
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path));
    }

    /** A list that must succeed. */
    public JsonNode list(String path) throws Exception {
        Answer answer = get(path);
        if (answer.status() != 200) {
            throw new AssertionError(path + " answered " + answer.status() + ": " + answer.body());
        }
        return answer.json();
    }

    /** Every key and modRevision below a prefix: all pages of {@code /kv}. */
    public Map<String, Long> keys(String prefix) throws Exception {
        Map<String, Long> keys = new TreeMap<>();
        String continuation = "";
        do {
            JsonNode page =
                    list(
                            "/kv/"
                                    + prefix
                                    + "?prefix=true&limit=5000"
                                    + (continuation.isEmpty() ? "" : "&continue=" + continuation));
            for (JsonNode item : page.path("items")) {
                keys.put(item.path("key").asText(), item.path("modRevision").asLong());
            }
            continuation = page.path("metadata").path("continue").asText("");
        } while (!continuation.isEmpty());
        return keys;
    }

    public static String resourceVersion(JsonNode list) {
        return list.path("metadata").path("resourceVersion").asText();
    }

    /** Opens a watch; read its events with {@link WatchStream#next}. */
    public WatchStream watch(String path) throws Exception {
        HttpResponse<InputStream> response =
                http.send(
                        HttpRequest.newBuilder(URI.create(url + path)).GET().build(),
                        HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new AssertionError(path + " answered " + response.statusCode());
        }
        return new WatchStream(response.body());
    }

    /** A watch's lines, in order. Reading blocks: give the watch a timeoutSeconds. */
    public static final class WatchStream implements AutoCloseable {
        private final InputStream body;
        private final BufferedReader lines;

        WatchStream(InputStream body) {
            this.body = body;
            lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /** The next event; fails at the end of the stream. */
        public JsonNode next() throws IOException {
            String line = lines.readLine();
            if (line == null) {
                throw new AssertionError("the stream has ended");
            }
            return JSON.readTree(line);
        }

        /** The given number of events. */
        public List<JsonNode> next(int count) throws IOException {
            List<JsonNode> events = new ArrayList<>(count);
            while (events.size() < count) {
                events.add(next());
            }
            return events;
        }

        /** All events until the server ends the stream. */
        public List<JsonNode> rest() throws IOException {
            List<JsonNode> events = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(JSON.readTree(line));
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
