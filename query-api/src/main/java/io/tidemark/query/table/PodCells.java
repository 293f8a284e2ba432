package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.Map;

/** Cells of pods. */
final class PodCells {
    private PodCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put(
                "podReady",
                in -> text(in.pod().readyContainers() + "/" + in.pod().totalContainers()));
        cells.put("podStatus", in -> text(in.pod().status()));
        cells.put("podRestarts", in -> text(restarts(in)));
        cells.put("podIp", in -> text(ip(in)));
        cells.put("podReadinessGates", in -> text(gates(in)));
    }

    private static String restarts(CellInput in) {
        PodSummary pod = in.pod();
        String restarts = Long.toString(pod.restarts());
        return pod.restarts() == 0 || pod.lastRestart().isEmpty()
                ? restarts
                : restarts + " (" + HumanDuration.since(pod.lastRestart(), in.now()) + " ago)";
    }

    private static String ip(CellInput in) {
        String first = in.at("status.podIPs").path(0).path("ip").asText("");
        return CellInput.orElse(first, in.text("status.podIP", "<none>"));
    }

    private static String gates(CellInput in) {
        JsonNode gates = in.at("spec.readinessGates");
        int met = 0;
        for (JsonNode gate : gates) {
            if (isTrue(in.at("status.conditions"), gate.path("conditionType").asText(""))) {
                met++;
            }
        }
        return gates.isEmpty() ? "<none>" : met + "/" + gates.size();
    }

    /** Whether the first condition of a type is true. */
    static boolean isTrue(JsonNode conditions, String type) {
        for (JsonNode condition : conditions) {
            if (condition.path("type").asText("").equals(type)) {
                return condition.path("status").asText("").equals("True");
            }
        }
        return false;
    }
}
