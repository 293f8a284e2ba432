package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cells of volumes, claims, storage classes and drivers. */
final class StorageCells {
    /** Modes in the order in which they are shown, each with its short form. */
    private static final List<Map.Entry<String, String>> ACCESS_MODES =
            List.of(
                    Map.entry("ReadWriteOnce", "RWO"),
                    Map.entry("ReadOnlyMany", "ROX"),
                    Map.entry("ReadWriteMany", "RWX"),
                    Map.entry("ReadWriteOncePod", "RWOP"));

    private static final List<String> DEFAULT_MARKS =
            List.of(
                    "storageclass.kubernetes.io/is-default-class",
                    "storageclass.beta.kubernetes.io/is-default-class",
                    "volumeattributesclass.alpha.kubernetes.io/is-default-class");

    private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

    private StorageCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put(
                "volumePhase",
                in -> text(in.isDeleting() ? "Terminating" : in.text("status.phase")));
        cells.put("claimCapacity", in -> text(claimCapacity(in)));
        cells.put(
                "claimAccessModes",
                in -> text(isBound(in) ? accessModes(in.at("status.accessModes")) : ""));
        cells.put("volumeAccessModes", in -> text(accessModes(in.at("spec.accessModes"))));
        cells.put("volumeClaim", in -> text(claim(in)));
        cells.put("storageClassName", in -> text(storageClass(in)));
        cells.put("nameWithDefault", in -> text(nameWithDefault(in)));
        cells.put("tokenRequests", in -> text(tokenRequests(in)));
        cells.put(
                "lifecycleModes",
                in ->
                        text(
                                CellInput.orElse(
                                        String.join(
                                                ",",
                                                NetworkCells.values(
                                                        in.at("spec.volumeLifecycleModes"))),
                                        "<none>")));
    }

    private static boolean isBound(CellInput in) {
        return !in.text("spec.volumeName").isEmpty();
    }

    private static String claimCapacity(CellInput in) {
        return isBound(in) ? in.text("status.capacity.storage", "0") : "";
    }

    private static String accessModes(JsonNode modes) {
        List<String> given = NetworkCells.values(modes);
        List<String> shown = new ArrayList<>();
        for (Map.Entry<String, String> mode : ACCESS_MODES) {
            if (given.contains(mode.getKey())) {
                shown.add(mode.getValue());
            }
        }
        return String.join(",", shown);
    }

    private static String claim(CellInput in) {
        return in.isSet("spec.claimRef")
                ? in.text("spec.claimRef.namespace") + "/" + in.text("spec.claimRef.name")
                : "";
    }

    private static String storageClass(CellInput in) {
        JsonNode annotation = in.at("metadata.annotations").path(OLD_CLASS);
        return annotation.isTextual() ? annotation.asText() : in.text("spec.storageClassName");
    }

    private static String nameWithDefault(CellInput in) {
        JsonNode annotations = in.at("metadata.annotations");
        boolean isDefault =
                DEFAULT_MARKS.stream()
                        .anyMatch(mark -> annotations.path(mark).asText("").equals("true"));
        return in.text("metadata.name") + (isDefault ? " (default)" : "");
    }

    private static String tokenRequests(CellInput in) {
        return in.isSet("spec.tokenRequests")
                ? String.join(",", CellInput.texts(in.at("spec.tokenRequests"), "audience"))
                : "<unset>";
    }
}
