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
import java.util.regex.Pattern;

/** Lists and watches of one node. */
public final class Api {
    public static final ObjectMapper JSON = new ObjectMapper();

    /** How often a client asks again for what came too late. */
    private static final int MAX_RETRIES = 10;

    /** An empty one asks for now. */
    private static final Pattern REVISION = Pattern.compile("resourceVersion=[^&]");

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

    /**
     * An answer other than 504, if one comes. Like all clients, it retries on request: on a busy
     * machine the state can arrive later than the server waits.
     */
    public Answer getInTime(String path) throws Exception {
        Answer answer = get(path);
        for (int more = MAX_RETRIES; more > 0 && answer.status() == 504; more--) {
            answer = get(path);
        }
        return answer;
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

    /** A list that must succeed, in time or a little later. */
    public JsonNode list(String path) throws Exception {
        Answer answer = getInTime(path);
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

    /**
     * Opens a watch; read its events with {@link WatchStream#next}. One that begins "now" is opened
     * again when its first event is a 504, as clients do.
     */
    public WatchStream watch(String path) throws Exception {
        return new WatchStream(path, REVISION.matcher(path).find() ? 0 : MAX_RETRIES);
    }

    /** A watch's lines, in order. Reading blocks: give the watch a timeoutSeconds. */
    public final class WatchStream implements AutoCloseable {
        private final String path;
        private LineStream lines;

        /** How often it may be opened again; 0 once an event has come. */
        private int retries;

        private WatchStream(String path, int retries) throws IOException, InterruptedException {
            this.path = path;
            this.retries = retries;
            this.lines = open();
        }

        private LineStream open() throws IOException, InterruptedException {
            LineStream opened = http.open(path, headers);
            if (opened.status() != 200) {
                throw new AssertionError(path + " answered " + opened.status());
            }
            return opened;
        }

        /** The next event; fails at the end of the stream. */
        public JsonNode next() throws IOException, InterruptedException {
            return poll().orElseThrow(() -> new AssertionError("the stream has ended"));
        }

        private Optional<JsonNode> poll() throws IOException, InterruptedException {
            Optional<JsonNode> event = read();
            while (retries > 0 && event.filter(WatchStream::isLate).isPresent()) {
                retries--;
                lines.close();
                lines = open();
                event = read();
            }
            retries = 0;
            return event;
        }

        private Optional<JsonNode> read() throws IOException {
            Optional<String> line = lines.next();
            return line.isPresent() ? Optional.of(JSON.readTree(line.get())) : Optional.empty();
        }

        private static boolean isLate(JsonNode event) {
            return event.path("type").asText().equals("ERROR")
                    && event.at("/object/code").asInt() == 504;
        }

        /** The given number of events. */
        public List<JsonNode> next(int count) throws IOException, InterruptedException {
            List<JsonNode> events = new ArrayList<>(count);
            while (events.size() < count) {
                events.add(next());
            }
            return events;
        }

        /** All events until the server ends the stream. */
        public List<JsonNode> rest() throws IOException, InterruptedException {
            List<JsonNode> events = new ArrayList<>();
            for (Optional<JsonNode> event = poll(); event.isPresent(); event = poll()) {
                events.add(event.get());
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
