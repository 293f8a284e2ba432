package io.tidemark.query.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.http.testing.TestHttpClient.LineStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** Sends requests to a query node and parses their JSON. */
public final class HttpClientForTests implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final TestHttpClient client;

    public HttpClientForTests(String url) {
        this(new TestHttpClient(url));
    }

    public HttpClientForTests(TestHttpClient client) {
        this.client = client;
    }

    /** A response; a body that is not JSON is a text node. */
    public record Answer(TestHttpClient.Answer response, JsonNode json) {
        public int status() {
            return response.status();
        }

        public String text() {
            return response.text();
        }

        public String header(String name) {
            return response.header(name);
        }

        /** Warnings of a success, empty if there are none; fails for a refusal. */
        public String warning() {
            if (status() != 200) {
                throw new AssertionError("refused: " + status() + " " + text());
            }
            return header("Warning");
        }

        public String message() {
            return json.path("message").asText();
        }

        /** The names in a list; fails when this is none, as a refusal has no names either. */
        public List<String> names() {
            if (!json.path("items").isArray()) {
                throw new AssertionError("no list: " + status() + " " + text());
            }
            List<String> names = new ArrayList<>();
            for (JsonNode item : json.path("items")) {
                names.add(item.path("metadata").path("name").asText());
            }
            return names;
        }

        public String resourceVersion() {
            return json.path("metadata").path("resourceVersion").asText();
        }

        /** Empty on the last page of a list; fails for what can have none. */
        public String continueToken() {
            boolean list = json.path("items").isArray() || json.path("rows").isArray();
            if (!list && !json.path("metadata").has("continue")) {
                throw new AssertionError("no list: " + status() + " " + text());
            }
            return json.path("metadata").path("continue").asText();
        }
    }

    public Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    public Answer send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        TestHttpClient.Answer response = client.send(method, path, headers);
        String text = response.text();
        // The index of OpenAPI documents is JSON that is called text, as in the API server.
        boolean json =
                (response.header("Content-Type").contains("json") || path.endsWith("/openapi/v3"))
                        && response.header("Content-Encoding").isEmpty()
                        && !text.isEmpty();
        return new Answer(
                response, json ? JSON.readTree(text) : JSON.getNodeFactory().textNode(text));
    }

    /**
     * Waits until the node knows a right that was granted while it runs: a request that comes
     * before may be refused.
     */
    public void awaitAllowed(String user, String path) {
        Awaitility.await()
                .until(() -> get(path, "Authorization", "Bearer " + user).status() == 200);
    }

    /**
     * The value of a metric of the node.
     *
     * @param series its name, and its labels if it has any
     */
    public double metric(String series) throws IOException, InterruptedException {
        String begin = series + " ";
        return get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(begin))
                .mapToDouble(line -> Double.parseDouble(line.substring(begin.length())))
                .findFirst()
                .orElseThrow();
    }

    /** Opens a watch; its events are read one by one. */
    public Watch watch(String path, String... headers) throws IOException, InterruptedException {
        return new Watch(client.open(path, headers));
    }

    @Override
    public void close() {
        client.close();
    }

    /** An open watch. */
    public static final class Watch implements AutoCloseable {
        private final LineStream lines;

        Watch(LineStream lines) {
            this.lines = lines;
        }

        public int status() {
            return lines.status();
        }

        public String header(String name) {
            return lines.header(name);
        }

        /** The next event; a missing node at the end of the stream. */
        public JsonNode next() throws IOException {
            Optional<String> line = lines.next();
            return line.isPresent()
                    ? JSON.readTree(line.get())
                    : JSON.getNodeFactory().missingNode();
        }

        /** The next events as {@code TYPE name@resourceVersion}. */
        public List<String> next(int count) throws IOException {
            List<String> events = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                events.add(shown(next()));
            }
            return events;
        }

        /** All events until the end of the stream. */
        public List<String> rest() throws IOException {
            List<String> events = new ArrayList<>();
            for (JsonNode event = next(); !event.isMissingNode(); event = next()) {
                events.add(shown(event));
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }

        public static String shown(JsonNode event) {
            JsonNode metadata = event.path("object").path("metadata");
            String type = event.path("type").asText();
            if (type.equals("ERROR")) {
                return "ERROR " + event.path("object").path("code").asInt();
            }
            String end = metadata.path("annotations").path("k8s.io/initial-events-end").asText();
            return type
                    + " "
                    + (end.equals("true") ? "END" : metadata.path("name").asText())
                    + "@"
                    + metadata.path("resourceVersion").asText();
        }
    }
}
