package io.tidemark.query.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.query.json.GoJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** Recorded requests with their responses. */
public final class Golden {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static volatile List<Row> requests = List.of();

    private Golden() {}

    /**
     * One recorded request.
     *
     * @param accept empty when the request had no such header
     * @param body of the response as text; empty when it is binary
     */
    record Row(
            String id,
            String category,
            String method,
            String uri,
            String accept,
            String ifNoneMatch,
            int status,
            Map<String, String> headers,
            String body) {
        String path() {
            int query = uri.indexOf('?');
            return query < 0 ? uri : uri.substring(0, query);
        }

        /** Decoded parameters, the first value of each. */
        Map<String, String> parameters() {
            Map<String, String> parameters = new HashMap<>();
            int query = uri.indexOf('?');
            for (String pair : query < 0 ? new String[0] : uri.substring(query + 1).split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                parameters.putIfAbsent(name, URLDecoder.decode(value, StandardCharsets.UTF_8));
            }
            return parameters;
        }

        /** The message of the recorded Status, in any format. */
        String message() {
            try {
                return JSON.readTree(body).path("message").asText();
            } catch (IOException _) {
                return "";
            }
        }

        @Override
        public String toString() {
            return id + " " + method + " " + uri + " [" + accept + "]";
        }
    }

    /** The folder beside the repository, or the one that a system property sets. */
    public static Path shared() {
        Path beside = Path.of("").toAbsolutePath().getParent().resolveSibling("shared");
        Path shared = Path.of(System.getProperty("tidemark.shared", beside.toString()));
        Assumptions.assumeTrue(
                Files.isDirectory(shared.resolve("golden")),
                "needs an API server's recorded answers: ../shared/golden or -Dtidemark.shared");
        return shared;
    }

    /** Read once: the file is large. */
    static List<Row> requests() throws IOException {
        if (requests.isEmpty()) {
            requests = readRequests();
        }
        return requests;
    }

    private static List<Row> readRequests() throws IOException {
        List<JsonNode> lines = lines(shared().resolve("golden/static.jsonl.gz"));
        Map<String, JsonNode> responses = new HashMap<>();
        lines.forEach(line -> responses.put(line.path("id").asText(), line.path("response")));
        List<Row> rows = new ArrayList<>();
        for (JsonNode line : lines) {
            if (line.has("id")) {
                rows.add(row(line, responses));
            }
        }
        return rows;
    }

    public static List<JsonNode> lines(Path file) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                new GZIPInputStream(Files.newInputStream(file)),
                                StandardCharsets.UTF_8))) {
            String line = in.readLine();
            while (line != null) {
                lines.add(JSON.readTree(line));
                line = in.readLine();
            }
        }
        return lines;
    }

    private static Row row(JsonNode line, Map<String, JsonNode> responses) {
        JsonNode request = line.path("request");
        JsonNode response = line.path("response");
        JsonNode content = response;
        while (content.path("bodyEncoding").asText().equals("sameAs")) {
            content = responses.get(content.path("body").asText());
        }
        String body =
                switch (content.path("bodyEncoding").asText()) {
                    case "json" ->
                            new String(GoJson.write(content.path("body")), StandardCharsets.UTF_8)
                                    + (response.path("trailingNewline").asBoolean() ? "\n" : "");
                    case "text" -> content.path("body").asText();
                    default -> "";
                };
        Map<String, String> headers = new HashMap<>();
        response.path("headers")
                .properties()
                .forEach(header -> headers.put(header.getKey(), header.getValue().asText()));
        return new Row(
                line.path("id").asText(),
                line.path("category").asText(),
                request.path("method").asText(),
                request.path("path").asText(),
                request.path("headers").path("Accept").asText(""),
                request.path("headers").path("If-None-Match").asText(""),
                response.path("status").asInt(),
                headers,
                body);
    }

    /** Group, version, plural, namespace and name of a path; empty where absent. */
    record Place(String group, String version, String plural, String namespace, String name) {
        static Optional<Place> of(String path) {
            List<String> parts = List.of(URI.create(path).getPath().substring(1).split("/"));
            boolean core = parts.getFirst().equals("api");
            int at = core ? 2 : 3;
            if (!core && !parts.getFirst().equals("apis") || parts.size() <= at) {
                return Optional.empty();
            }
            String group = core ? "" : parts.get(1);
            String version = parts.get(at - 1);
            String namespace = "";
            if (parts.get(at).equals("namespaces") && parts.size() > at + 2) {
                namespace = parts.get(at + 1);
                at += 2;
            }
            if (parts.size() > at + 2) {
                return Optional.empty();
            }
            String name = parts.size() > at + 1 ? parts.get(at + 1) : "";
            return Optional.of(new Place(group, version, parts.get(at), namespace, name));
        }
    }
}
