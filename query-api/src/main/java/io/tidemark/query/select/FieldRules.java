package io.tidemark.query.select;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.query.catalog.Resource;
import io.tidemark.view.object.FieldPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/**
 * The fields that a selector may name for a resource, and the error for others. Allowed are the API
 * server's fields and those that are declared to be indexed. As an extension, a path with a leading
 * dot, {@code .spec.replicas}, selects any scalar of the stored object; no field of the API server
 * begins with a dot.
 *
 * <p>Rules of built-in resources are in {@code field-selectors.json} beside this class:
 *
 * <ul>
 *   <li>{@code refusal}: the text; {@code %1$s} is the field, {@code %2$s} the kind, {@code %3$s}
 *       the apiVersion
 *   <li>{@code namespace}: whether metadata.namespace may be named
 *   <li>{@code also}: other names of fields, by the name the store knows
 *   <li>{@code unset}: how an absent field reads, when that is not the empty string
 * </ul>
 */
final class FieldRules {
    private static final int MAX_PATH = 1024;
    private static final JsonNode TABLE = read();

    private final Resource resource;
    private final JsonNode rules;

    private FieldRules(Resource resource, JsonNode rules) {
        this.resource = resource;
        this.rules = rules;
    }

    static FieldRules of(Resource resource) {
        return new FieldRules(
                resource,
                resource.custom()
                        ? TABLE.path("custom")
                        : TABLE.path("builtIn").path(resource.qualifiedName()));
    }

    /**
     * An allowed field.
     *
     * @param stored its name in the store
     * @param unset its value when it is absent
     * @param inValue whether it may have to be parsed from the object's value
     */
    record Field(String stored, String unset, boolean inValue) {
        /** No field with a value when it is absent, a bool or a number, is ever empty. */
        private static final Set<String> NEVER = Set.of("never");

        /**
         * The stored values that match {@code value}: absent fields are stored as the empty string.
         */
        Set<String> asStored(String value) {
            if (!unset.isEmpty() && value.isEmpty()) {
                return NEVER;
            }
            return !unset.isEmpty() && value.equals(unset) ? Set.of(value, "") : Set.of(value);
        }
    }

    Optional<Field> find(String name) {
        if (name.startsWith(".") && isPath(name.substring(1))) {
            String path = name.substring(1);
            return known(path).or(() -> Optional.of(new Field(path, "", true)));
        }
        return known(name);
    }

    /** Whether it consists of non-blank names separated by dots. */
    static boolean isPath(String path) {
        return path.length() <= MAX_PATH
                && path.indexOf('\0') < 0
                && FieldPath.names(path).stream().noneMatch(String::isBlank);
    }

    /** The store's name of an allowed field; other names are paths. */
    String storedNameOf(String name) {
        return known(name).map(Field::stored).orElse(name);
    }

    private Optional<Field> known(String name) {
        String alias = rules.path("also").path(name).asText("");
        boolean known =
                name.equals("metadata.name")
                        || (name.equals("metadata.namespace") && namespaceAllowed())
                        || resource.selectableFields().contains(name)
                        || !alias.isEmpty();
        return known
                ? Optional.of(
                        new Field(
                                alias.isEmpty() ? name : alias,
                                rules.path("unset").path(name).asText(""),
                                resource.custom() && !name.startsWith("metadata.")))
                : Optional.empty();
    }

    String unsupported(String name, Resource of) {
        return rules.path("refusal")
                .asText(TABLE.path("refusal").asText())
                .formatted(name, of.kind(), of.apiVersion());
    }

    private boolean namespaceAllowed() {
        return resource.custom() ? resource.namespaced() : rules.path("namespace").asBoolean(true);
    }

    private static JsonNode read() {
        try (InputStream in = FieldRules.class.getResourceAsStream("field-selectors.json")) {
            if (in == null) {
                throw new IllegalStateException("field-selectors.json is not on the class path");
            }
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
