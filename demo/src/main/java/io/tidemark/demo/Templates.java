package io.tidemark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JSON templates beside this class, with {@code ${name}} as placeholders. A string that consists
 * only of a placeholder takes the value's type, such as a number or an object.
 */
final class Templates {
    static final ObjectMapper JSON = new ObjectMapper();

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{(\\w+)}");
    private static final Map<String, JsonNode> PARSED = new ConcurrentHashMap<>();

    private Templates() {}

    /**
     * @throws IllegalArgumentException when a placeholder has no value
     */
    static ObjectNode render(String name, Map<String, ?> values) {
        return (ObjectNode) fill(PARSED.computeIfAbsent(name, Templates::parse), values);
    }

    private static JsonNode parse(String name) {
        try (InputStream in = Templates.class.getResourceAsStream(name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("no template " + name);
            }
            return JSON.readTree(in);
        } catch (IOException broken) {
            throw new UncheckedIOException("template " + name, broken);
        }
    }

    private static JsonNode fill(JsonNode node, Map<String, ?> values) {
        if (node.isObject()) {
            ObjectNode filled = JsonNodeFactory.instance.objectNode();
            node.properties()
                    .forEach(field ->
                            filled.set(
                                    text(field.getKey(), values), fill(field.getValue(), values)));
            return filled;
        }
        if (node.isArray()) {
            ArrayNode filled = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> filled.add(fill(element, values)));
            return filled;
        }
        if (!node.isTextual()) {
            return node;
        }
        Matcher whole = PLACEHOLDER.matcher(node.textValue());
        if (!whole.matches()) {
            return JsonNodeFactory.instance.textNode(text(node.textValue(), values));
        }
        Object value = value(whole.group(1), values);
        // Copies, as callers change the results independently.
        return value instanceof JsonNode object ? object.deepCopy() : JSON.valueToTree(value);
    }

    private static String text(String template, Map<String, ?> values) {
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found ->
                        Matcher.quoteReplacement(String.valueOf(value(found.group(1), values))));
    }

    private static Object value(String name, Map<String, ?> values) {
        Object value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no value for ${" + name + "}");
        }
        return value;
    }
}
