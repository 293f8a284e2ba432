package io.tidemark.golden.recording;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request as it was sent.
 *
 * @param target path and query, with the exact bytes of the request line
 * @param headers with their names as sent; no other header was sent but Host and Content-Length
 * @param body empty when there was none
 */
public record RawRequest(String method, String target, Map<String, String> headers, byte[] body) {
    public static RawRequest of(JsonNode request) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.path("headers")
                .properties()
                .forEach(header -> headers.put(header.getKey(), header.getValue().asText()));
        JsonNode body = request.path("body");
        String text = body.isContainerNode() ? body.toString() : body.asText("");
        return new RawRequest(
                request.path("method").asText(),
                request.path("path").asText(),
                headers,
                text.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the query. */
    public String path() {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /** Undecoded; empty when there is none. */
    public String query() {
        int query = target.indexOf('?');
        return query < 0 ? "" : target.substring(query + 1);
    }

    public RawRequest withTarget(String other) {
        return new RawRequest(method, other, headers, body);
    }

    /** The same with another header, or without it where the value is empty. */
    public RawRequest withHeader(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        if (value.isEmpty()) {
            changed.remove(name);
        } else {
            changed.put(name, value);
        }
        return new RawRequest(method, target, changed, body);
    }
}
