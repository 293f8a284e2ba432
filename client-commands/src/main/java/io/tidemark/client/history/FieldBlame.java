package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.NodeApiClient;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldDiff;
import io.tidemark.diff.FieldManagers;
import java.util.ArrayList;
import java.util.List;

/** Finds, for each field of an object, the version that gave it its value, and who wrote it. */
public final class FieldBlame {
    private FieldBlame() {}

    /**
     * One field.
     *
     * @param manager empty when it is not known
     * @param version the item of the history that changed it last; the oldest known one if none did
     * @param known whether {@code version} changed it: else it is older than the history
     */
    record Line(String path, JsonNode value, String manager, JsonNode version, boolean known) {}

    /**
     * The fields of the newest version with an object.
     *
     * @param history a document of kind {@code ObjectHistory}
     */
    static List<Line> of(JsonNode history) {
        List<JsonNode> versions = new ArrayList<>();
        history.path("items")
                .forEach(item -> {
                    if (item.path("object").isObject()) {
                        versions.add(item);
                    }
                });
        if (versions.isEmpty()) {
            return List.of();
        }
        ObjectNode nothing = NodeApiClient.JSON.createObjectNode();
        JsonNode newest = versions.getLast().path("object");
        FieldManagers managers = FieldManagers.of(newest);
        List<Line> lines = new ArrayList<>();
        for (Difference field : FieldDiff.between(nothing, newest, false)) {
            JsonNode value = field.path().in(newest);
            int at = versions.size() - 1;
            while (at > 0
                    && !isBegin(versions.get(at))
                    && field.path().in(versions.get(at - 1).path("object")).equals(value)) {
                at--;
            }
            JsonNode version = versions.get(at);
            boolean known = at > 0 || isBegin(version);
            lines.add(
                    new Line(
                            field.path().toString(),
                            value,
                            managers.of(field.path()).orElse(""),
                            version,
                            known));
        }
        return lines;
    }

    private static boolean isBegin(JsonNode version) {
        return version.path("type").asText().equals("ADDED");
    }
}
