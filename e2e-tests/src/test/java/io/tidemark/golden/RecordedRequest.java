package io.tidemark.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.golden.comparison.AnswerVerifier;
import io.tidemark.golden.comparison.Expected;
import io.tidemark.golden.comparison.RowProperties;
import io.tidemark.golden.recording.Content;
import io.tidemark.golden.recording.GoldenRecordings;
import io.tidemark.golden.recording.ProtobufJson;
import io.tidemark.golden.recording.RawRequest;
import io.tidemark.json.JsonIndenter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A request on a fixed state with its answer.
 *
 * @param chain the row that a chain of pages began with; empty when it is in none
 */
public record RecordedRequest(
        String file,
        String id,
        String category,
        String chain,
        RawRequest asked,
        Expected expected) {
    /** All of a file, in order. */
    static List<RecordedRequest> all(GoldenRecordings.Rows rows) {
        Map<String, JsonNode> bodies = new HashMap<>();
        rows.rows().forEach(row -> bodies.put(row.path("id").asText(), row.path("response")));
        List<RecordedRequest> requests = new ArrayList<>();
        for (JsonNode row : rows.rows()) {
            requests.add(
                    new RecordedRequest(
                            rows.file(),
                            row.path("id").asText(),
                            row.path("category").asText(),
                            row.path("chain").asText(""),
                            RawRequest.of(row.path("request")),
                            expected(row.path("response"), bodies)));
        }
        return requests;
    }

    private static Expected expected(JsonNode response, Map<String, JsonNode> bodies) {
        return new Expected(
                response.path("status").asInt(),
                headers(response.path("headers")),
                content(response, bodies));
    }

    public static Map<String, String> headers(JsonNode headers) {
        Map<String, String> byName = new TreeMap<>();
        headers.properties()
                .forEach(header -> byName.put(header.getKey(), header.getValue().asText()));
        return byName;
    }

    private static Content content(JsonNode response, Map<String, JsonNode> bodies) {
        JsonNode body = response.path("body");
        String encoding = response.path("bodyEncoding").asText();
        if (isProtobuf(response)) {
            return new Content.Protobuf(ProtobufJson.document(bytes(encoding, body)));
        }
        return switch (encoding) {
            case "json" -> json(response, body);
            case "text" -> new Content.Text(body.asText());
            case "base64" -> new Content.Binary(Base64.getDecoder().decode(body.asText()));
            case "sameAs" -> content(sameAs(body.asText(), bodies), bodies);
            default -> throw new IllegalArgumentException("unknown body encoding " + encoding);
        };
    }

    /** Errors are compared byte by byte. */
    private static boolean isProtobuf(JsonNode response) {
        return response.path("status").asInt() == 200
                && response.path("headers")
                        .path("content-type")
                        .asText()
                        .startsWith(ProtobufJson.MEDIA_TYPE)
                && !response.path("bodyEncoding").asText().equals("sameAs");
    }

    private static byte[] bytes(String encoding, JsonNode body) {
        return encoding.equals("base64")
                ? Base64.getDecoder().decode(body.asText())
                : body.asText().getBytes(StandardCharsets.UTF_8);
    }

    /** A parsed body shows by its hash whether it was indented. */
    private static Content json(JsonNode response, JsonNode body) {
        boolean newline = response.path("trailingNewline").asBoolean();
        String escaped =
                body.toString()
                        .replace("<", "\\u003c")
                        .replace(">", "\\u003e")
                        .replace("&", "\\u0026");
        byte[] indented = JsonIndenter.indented(escaped.getBytes(StandardCharsets.UTF_8));
        return !newline && sha256(indented).equals(response.path("bodySha256").asText())
                ? new Content.Text(new String(indented, StandardCharsets.UTF_8))
                : new Content.Json(body, newline);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode sameAs(String id, Map<String, JsonNode> bodies) {
        JsonNode other = bodies.get(id);
        if (other == null) {
            throw new IllegalArgumentException("the recording lacks row " + id);
        }
        return other;
    }

    AnswerVerifier.Row row() {
        String shown =
                "%s %s %s [%s]"
                        .formatted(
                                id,
                                asked.method(),
                                asked.target(),
                                asked.headers().getOrDefault("Accept", ""));
        String body = expected.content().shown();
        return new AnswerVerifier.Row(
                category,
                shown,
                RowProperties.of(file, category, asked, expected.status(), body),
                asked,
                expected);
    }
}
