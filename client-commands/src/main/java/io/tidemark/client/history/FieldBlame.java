package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.NodeApiClient;
import io.tidemark.diff.Difference;
import io.tidemark.diff.FieldDiff;
import io.tidemark.diff.FieldManagers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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
        List<Set<String>> changed = new ArrayList<>();
        for (int i = 0; i < versions.size(); i++) {
            boolean begins = versions.get(i).path("type").asText().equals("ADDED");
            JsonNode before = i == 0 || begins ? nothing : versions.get(i - 1).path("object");
            Set<String> paths = new HashSet<>();
            FieldDiff.between(before, versions.get(i).path("object"), false)
                    .forEach(each -> paths.add(each.path().toString()));
            changed.add(paths);
        }
        FieldManagers managers = FieldManagers.of(newest);
        List<Line> lines = new ArrayList<>();
        for (Difference field : FieldDiff.between(nothing, newest, false)) {
            String path = field.path().toString();
            int at = versions.size() - 1;
            while (at > 0 && !changed.get(at).contains(path)) {
                at--;
            }
            JsonNode version = versions.get(at);
            boolean known = at > 0 || version.path("type").asText().equals("ADDED");
            lines.add(
                    new Line(
                            path,
                            field.after() == null ? nothing : field.after(),
                            managers.of(field.path()).orElse(""),
                            version,
                            known));
        }
        return lines;
    }
}
