package io.tidemark.authentication.jwt;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An object of a configuration file, whose members are read with their types.
 *
 * @param path of the object in the file, for messages; empty for the whole file
 */
record YamlFields(String path, JsonNode node) {
    /**
     * @throws IllegalArgumentException when it is no object, or has other members than these
     */
    YamlFields only(Set<String> names) {
        if (!node.isObject()) {
            throw new IllegalArgumentException(
                    (path.isEmpty() ? "the file" : path) + " is no object");
        }
        node.fieldNames()
                .forEachRemaining(name -> {
                    if (!names.contains(name)) {
                        throw new IllegalArgumentException(at(name) + " is not supported");
                    }
                });
        return this;
    }

    String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Whether it has a member. */
    boolean has(String name) {
        return node.hasNonNull(name);
    }

    /** Empty without the member. */
    Optional<String> text(String name) {
        JsonNode value = node.path(name);
        if (!has(name)) {
            return Optional.empty();
        }
        if (!value.isTextual()) {
            throw new IllegalArgumentException(at(name) + " is no text");
        }
        return Optional.of(value.textValue());
    }

    /** A member that must not be empty. */
    String required(String name) {
        return text(name)
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> new IllegalArgumentException(at(name) + " is missing"));
    }

    /** A member that must be an object. */
    YamlFields object(String name) {
        if (!has(name)) {
            throw new IllegalArgumentException(at(name) + " is missing");
        }
        return new YamlFields(at(name), node.path(name));
    }

    /** The elements of a list; none without the member. */
    List<YamlFields> list(String name, int most) {
        JsonNode value = node.path(name);
        List<YamlFields> elements = new ArrayList<>();
        if (has(name)) {
            if (!value.isArray() || value.size() > most) {
                throw new IllegalArgumentException(
                        "%s is no list of at most %d".formatted(at(name), most));
            }
            for (int i = 0; i < value.size(); i++) {
                elements.add(new YamlFields("%s[%d]".formatted(at(name), i), value.get(i)));
            }
        }
        return elements;
    }

    /** The value itself, which must be a text. */
    String asText() {
        if (!node.isTextual() || node.textValue().isEmpty()) {
            throw new IllegalArgumentException(path + " is no text");
        }
        return node.textValue();
    }
}
