package io.tidemark.written;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.harness.Api;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Shorthands of the written cases. {@code {"=": "name", …}} is the fragment of that name with the
 * members beside it added or replaced. In texts, {@code ${now}} is the last revision of the state,
 * and {@code ${token REVISION KEY}} the continue token after a key, as clients know its format.
 */
final class Fragments {
    private static final String NAME = "=";
    private static final Pattern SHORTHAND = Pattern.compile("\\$\\{(now|token (\\S+) ([^}]+))}");

    private final JsonNode named;
    private final long now;

    Fragments(JsonNode named, long now) {
        this.named = named;
        this.now = now;
    }

    /** A copy without shorthands. */
    JsonNode expand(JsonNode written) {
        return switch (written) {
            case ObjectNode object -> expandObject(object);
            case ArrayNode array -> {
                ArrayNode copy = Api.JSON.createArrayNode();
                array.forEach(each -> copy.add(expand(each)));
                yield copy;
            }
            case TextNode text -> TextNode.valueOf(expand(text.asText()));
            default -> written;
        };
    }

    private ObjectNode expandObject(ObjectNode written) {
        ObjectNode copy = Api.JSON.createObjectNode();
        if (written.has(NAME)) {
            String name = written.path(NAME).asText();
            JsonNode fragment = named.path(name);
            if (!fragment.isObject()) {
                throw new IllegalArgumentException("there is no fragment " + name);
            }
            copy.setAll((ObjectNode) expand(fragment));
        }
        written.fields()
                .forEachRemaining(member -> {
                    if (!member.getKey().equals(NAME)) {
                        copy.set(member.getKey(), expand(member.getValue()));
                    }
                });
        return copy;
    }

    private String expand(String text) {
        return SHORTHAND
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(shorthand(found.group(1))));
    }

    private String shorthand(String name) {
        if (name.equals("now")) {
            return Long.toString(now);
        }
        String[] parts = name.split(" ", 3);
        String revision = parts[1].equals("now") ? Long.toString(now) : parts[1];
        String json =
                "{\"v\":\"meta.k8s.io/v1\",\"rv\":%s,\"start\":\"%s\\u0000\"}"
                        .formatted(revision, parts[2]);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
