package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Cells of the versions in which API servers store objects, and of migrations between them. */
final class StorageVersionCells {
    private static final int SHOWN = 3;
    private static final Set<String> PHASES = Set.of("Running", "Failed", "Succeeded");

    private StorageVersionCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put("storageVersions", in -> text(versions(in)));
        cells.put("migratedResource", in -> text(resource(in)));
        cells.put("migratedVersion", in -> text(resourceInVersion(in)));
        cells.put("migrationStatus", in -> text(status(in)));
    }

    private static String versions(CellInput in) {
        List<String> versions = new ArrayList<>();
        for (JsonNode server : in.at("status.storageVersions")) {
            versions.add(
                    server.path("apiServerID").asText("")
                            + "="
                            + server.path("encodingVersion").asText(""));
        }
        return CellInput.orElse(CellInput.shortened(versions, SHOWN, ","), "<unset>");
    }

    private static String resource(CellInput in) {
        String group = in.text("spec.resource.group");
        String resource = in.text("spec.resource.resource");
        return group.isEmpty() ? resource : resource + "." + group;
    }

    /** As API servers up to 1.34 print it, with a dot before an empty group too. */
    private static String resourceInVersion(CellInput in) {
        return String.join(
                ".",
                in.text("spec.resource.resource"),
                in.text("spec.resource.version"),
                in.text("spec.resource.group"));
    }

    /** The last of the conditions that are true. */
    private static String status(CellInput in) {
        String status = "Unknown";
        for (JsonNode condition : in.at("status.conditions")) {
            String type = condition.path("type").asText("");
            if (PHASES.contains(type) && condition.path("status").asText("").equals("True")) {
                status = type;
            }
        }
        return status;
    }
}
