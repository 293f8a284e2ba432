package io.tidemark.diff;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who manages the fields of an object, by its {@code metadata.managedFields}: an entry for each
 * manager with the fields that it last set, as {@code f:NAME} for members, {@code k:{…}} for list
 * elements with keys, {@code v:VALUE} for those of sets, and {@code i:N} for others. See the
 * Kubernetes documentation of server-side apply.
 */
public final class FieldManagers {
    private static final JsonMapper JSON = new JsonMapper();

    private final JsonNode object;
    private final JsonNode entries;

    private FieldManagers(JsonNode object) {
        this.object = object;
        this.entries = object.path("metadata").path("managedFields");
    }

    /** The managers of an object's fields; of none if it has no valid {@code managedFields}. */
    public static FieldManagers of(JsonNode object) {
        return new FieldManagers(object);
    }

    /** The manager of a field; of several, the one that wrote last. */
    public Optional<String> of(FieldPath path) {
        JsonNode found = null;
        for (JsonNode entry : entries) {
            if (owns(entry.path("fieldsV1"), object, path.steps()) && isLater(entry, found)) {
                found = entry;
            }
        }
        return manager(found);
    }

    /**
     * The manager that wrote last since another version. It may have removed fields, which then
     * have no manager.
     */
    public Optional<String> latestSince(JsonNode before) {
        JsonNode found = null;
        for (JsonNode entry : entries) {
            if (!contains(before.path("metadata").path("managedFields"), entry)
                    && isLater(entry, found)) {
                found = entry;
            }
        }
        return manager(found);
    }

    private static boolean contains(JsonNode list, JsonNode entry) {
        for (JsonNode each : list) {
            if (each.equals(entry)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> manager(@Nullable JsonNode entry) {
        return entry == null
                ? Optional.empty()
                : Optional.of(entry.path("manager").asText()).filter(name -> !name.isEmpty());
    }

    /** Times are RFC 3339 in UTC, so they compare as text. */
    private static boolean isLater(JsonNode entry, @Nullable JsonNode than) {
        return than == null
                || entry.path("time").asText().compareTo(than.path("time").asText()) >= 0;
    }

    /**
     * Whether a set of fields has a field.
     *
     * @param at the part of the object that the set is about
     */
    private static boolean owns(JsonNode fields, JsonNode at, List<FieldPath.Step> steps) {
        JsonNode set = fields;
        JsonNode value = at;
        for (int i = 0; i < steps.size(); i++) {
            if (i > 0 && set.isEmpty()) {
                return set.isObject(); // The whole branch.
            }
            value = steps.get(i).in(value);
            set =
                    switch (steps.get(i)) {
                        case FieldPath.Step.Member(String name) -> set.path("f:" + name);
                        case FieldPath.Step.Index(int index) -> element(set, value, index);
                        case FieldPath.Step.Element _ -> element(set, value, -1);
                    };
            if (set.isMissingNode()) {
                return false;
            }
        }
        return set.isObject();
    }

    private static JsonNode element(JsonNode set, JsonNode element, int index) {
        for (var member : set.properties()) {
            String name = member.getKey();
            if (name.equals("i:" + index)
                    || (name.startsWith("k:") && hasKeys(element, name.substring(2)))
                    || (name.startsWith("v:") && isValue(element, name.substring(2)))) {
                return member.getValue();
            }
        }
        return JSON.missingNode();
    }

    private static boolean hasKeys(JsonNode element, String keys) {
        JsonNode wanted = parse(keys);
        if (!wanted.isObject() || wanted.isEmpty()) {
            return false;
        }
        for (var key : wanted.properties()) {
            if (!key.getValue().equals(element.path(key.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(JsonNode element, String value) {
        return parse(value).equals(element);
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException _) {
            return JSON.missingNode();
        }
    }
}
