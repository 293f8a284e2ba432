package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cells of horizontal pod autoscalers: current and target value of each metric. */
final class ScaleCells {
    private static final int SHOWN = 2;
    private static final String UNKNOWN = "<unknown>";

    private ScaleCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put(
                "scaleTarget",
                in ->
                        text(
                                in.text("spec.scaleTargetRef.kind")
                                        + "/"
                                        + in.text("spec.scaleTargetRef.name")));
        cells.put("scaleMetrics", in -> text(metrics(in)));
    }

    private static String metrics(CellInput in) {
        List<String> metrics = new ArrayList<>();
        JsonNode specs = in.at("spec.metrics");
        for (int i = 0; i < specs.size(); i++) {
            metrics.add(metric(specs.path(i), in.at("status.currentMetrics").path(i)));
        }
        if (metrics.isEmpty() && in.isSet("spec.targetCPUUtilizationPercentage")) {
            String current = in.text("status.currentCPUUtilizationPercentage");
            metrics.add(
                    "cpu: "
                            + (current.isEmpty() ? UNKNOWN : current + "%")
                            + "/"
                            + in.text("spec.targetCPUUtilizationPercentage")
                            + "%");
        }
        return metrics.isEmpty() ? "<none>" : CellInput.shortened(metrics, SHOWN, ", ");
    }

    private static String metric(JsonNode spec, JsonNode status) {
        return switch (spec.path("type").asText("")) {
            case "External" -> value(spec.path("external"), status.path("external"));
            case "Object" -> value(spec.path("object"), status.path("object"));
            case "Pods" ->
                    CellInput.at(status, "pods.current.averageValue").asText(UNKNOWN)
                            + "/"
                            + CellInput.at(spec, "pods.target.averageValue").asText("0");
            case "Resource" -> resource(spec.path("resource"), status.path("resource"));
            case "ContainerResource" ->
                    resource(spec.path("containerResource"), status.path("containerResource"));
            default -> "<unknown type>";
        };
    }

    private static String value(JsonNode spec, JsonNode status) {
        JsonNode average = CellInput.at(spec, "target.averageValue");
        return average.isMissingNode()
                ? CellInput.at(status, "current.value").asText(UNKNOWN)
                        + "/"
                        + CellInput.at(spec, "target.value").asText("0")
                : CellInput.at(status, "current.averageValue").asText(UNKNOWN)
                        + "/"
                        + average.asText()
                        + " (avg)";
    }

    private static String resource(JsonNode spec, JsonNode status) {
        String name = spec.path("name").asText("") + ": ";
        JsonNode average = CellInput.at(spec, "target.averageValue");
        if (!average.isMissingNode()) {
            return name
                    + CellInput.at(status, "current.averageValue").asText(UNKNOWN)
                    + "/"
                    + average.asText();
        }
        return name
                + percent(CellInput.at(status, "current.averageUtilization"), UNKNOWN)
                + "/"
                + percent(CellInput.at(spec, "target.averageUtilization"), "<auto>");
    }

    private static String percent(JsonNode value, String missing) {
        return value.isMissingNode() || value.isNull() ? missing : value.asText() + "%";
    }
}
