package io.tidemark.golden.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Tokens of paged lists are equal when their content is: servers encode some parts differently. */
public final class ContinueTokens {
    /** The base64 of an object with members begins so. */
    private static final Pattern TOKEN = Pattern.compile("eyJ[A-Za-z0-9_-]+");

    private ContinueTokens() {}

    /** Replaces the token of a list or of an error by its content. */
    public static void normalize(JsonNode document) {
        if (document.path("metadata") instanceof ObjectNode metadata
                && metadata.path("continue").isTextual()) {
            metadata.put("continue", normalized(metadata.path("continue").asText()));
        }
    }

    /** Replaces every token in a text by its content. */
    public static String normalized(String text) {
        return TOKEN.matcher(text)
                .replaceAll(match -> java.util.regex.Matcher.quoteReplacement(said(match.group())));
    }

    private static String said(String token) {
        try {
            String decoded =
                    new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
            return Answer.parse(decoded)
                    .filter(json -> json.has("v") && json.has("start"))
                    .map(json ->
                            "<after %s at %s, %s>"
                                    .formatted(
                                            json.path("start").asText().replaceFirst("^/", ""),
                                            json.path("rv").asText(),
                                            json.path("v").asText()))
                    .orElse(token);
        } catch (IllegalArgumentException _) {
            return token;
        }
    }
}
