package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.Map;

/** Cells of groups of pods that are scheduled together. */
final class PodGroupCells {
    private PodGroupCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put(
                "podGroupPolicy",
                in -> text(in.isSet("spec.schedulingPolicy.gang") ? "Gang" : "Basic"));
        cells.put(
                "podGroupWorkload",
                in ->
                        text(
                                in.isSet("spec.podGroupTemplateRef")
                                        ? in.text("spec.podGroupTemplateRef.workload.workloadName")
                                        : "<none>"));
        cells.put("podGroupStatus", in -> text(status(in)));
    }

    /** The reason of a disruption takes precedence over whether the group is scheduled. */
    private static String status(CellInput in) {
        String status = "Pending";
        for (JsonNode condition : in.at("status.conditions")) {
            String type = condition.path("type").asText("");
            if (type.equals("DisruptionTarget")) {
                return condition.path("reason").asText("");
            }
            if (type.equals("PodGroupScheduled")) {
                boolean scheduled = condition.path("status").asText("").equals("True");
                status = scheduled ? "Scheduled" : "Unschedulable";
            }
        }
        return status;
    }
}
