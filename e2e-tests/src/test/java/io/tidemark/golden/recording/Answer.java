package io.tidemark.golden.recording;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * Tidemark's answer.
 *
 * @param headers with names in lower case; empty when the client does not show them
 * @param body without its transfer and content encoding
 */
public record Answer(int status, Map<String, String> headers, byte[] body) {
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Empty when the body is something else. */
    public Optional<JsonNode> json() {
        return parse(text());
    }

    public static Optional<JsonNode> parse(String text) {
        if (!text.startsWith("{") && !text.startsWith("[")) {
            return Optional.empty();
        }
        try {
            return Optional.of(GoldenRecordings.JSON.readTree(text));
        } catch (IOException _) {
            return Optional.empty();
        }
    }
}
