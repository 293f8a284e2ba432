package io.tidemark.query.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends requests to a server and parses JSON. */
public final class HttpClientForTests implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    public HttpClientForTests(String url) {
        this.url = url;
    }

    /** A response; a body that is not JSON is a text node. */
    public record Answer(int status, JsonNode json, String text, HttpResponse<byte[]> response) {
        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** Warnings of a success, empty if there are none; fails for a refusal. */
        public String warning() {
            if (status != 200) {
                throw new AssertionError("refused: " + status + " " + text);
            }
            return header("Warning");
        }

        public String message() {
            return json.path("message").asText();
        }

        /** The names in a list; fails when this is none, as a refusal has no names either. */
        public List<String> names() {
            if (!json.path("items").isArray()) {
                throw new AssertionError("no list: " + status + " " + text);
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
                throw new AssertionError("no list: " + status + " " + text);
            }
            return json.path("metadata").path("continue").asText();
        }
    }

    public Answer get(String path, String... headers) throws IOException, InterruptedException {
        return send("GET", path, headers);
    }

    public Answer send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .timeout(Duration.ofSeconds(30))
                        .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
        String text = new String(response.body(), StandardCharsets.UTF_8);
        boolean json =
                response.headers().firstValue("Content-Type").orElse("").contains("json")
                        && response.headers().firstValue("Content-Encoding").isEmpty()
                        && !text.isEmpty();
        return new Answer(
                response.statusCode(),
                json ? JSON.readTree(text) : JSON.getNodeFactory().textNode(text),
                text,
                response);
    }

    /** Opens a watch; its events are read one by one. */
    public Watch watch(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> response =
                client.send(request.build(), BodyHandlers.ofInputStream());
        return new Watch(response);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /** An open watch. */
    public static final class Watch implements AutoCloseable {
        private final HttpResponse<InputStream> response;
        private final BufferedReader lines;

        Watch(HttpResponse<InputStream> response) {
            this.response = response;
            this.lines =
                    new BufferedReader(
                            new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        public int status() {
            return response.statusCode();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        /** The next event; a missing node at the end of the stream. */
        public JsonNode next() throws IOException {
            String line = lines.readLine();
            return line == null ? JSON.getNodeFactory().missingNode() : JSON.readTree(line);
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
            response.body().close();
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
