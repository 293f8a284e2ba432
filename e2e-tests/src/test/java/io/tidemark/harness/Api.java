package io.tidemark.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.LineStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Lists and watches of one node. */
public final class Api {
    public static final ObjectMapper JSON = new ObjectMapper();

    private final TestHttpClient http;
    private final String[] headers;

    public Api(String url) {
        this(new TestHttpClient(url));
    }

    /**
     * @param http with a protocol and certificates
     * @param headers of every request: names, each followed by its value
     */
    public Api(TestHttpClient http, String... headers) {
        this.http = http;
        this.headers = headers.clone();
    }

    /** Over that client's connections. */
    public Api(String url, HttpClient client) {
        this(new TestHttpClient(url, client));
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
        return http.url();
    }

    public Answer get(String path) throws Exception {
        return send(request(path));
    }

    /** The bytes of a response in the form that is asked for. */
    public TestHttpClient.Answer get(String path, String accept) throws Exception {
        return http.get(path, "Accept", accept);
    }

    public Answer send(HttpRequest.Builder request) throws Exception {
        TestHttpClient.Answer answer = http.send(request);
        return new Answer(answer.status(), answer.text());
    }

    public HttpRequest.Builder request(String path) {
        return http.request(path, headers);
    }

    /** The client of all this, which shows headers and bytes. */
    public TestHttpClient http() {
        return http;
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
        LineStream lines = http.open(path, headers);
        if (lines.status() != 200) {
            throw new AssertionError(path + " answered " + lines.status());
        }
        return new WatchStream(lines);
    }

    /** A watch's lines, in order. Reading blocks: give the watch a timeoutSeconds. */
    public static final class WatchStream implements AutoCloseable {
        private final LineStream lines;

        WatchStream(LineStream lines) {
            this.lines = lines;
        }

        /** The next event; fails at the end of the stream. */
        public JsonNode next() throws IOException {
            return JSON.readTree(
                    lines.next().orElseThrow(() -> new AssertionError("the stream has ended")));
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
            for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
                events.add(JSON.readTree(line.get()));
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
