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

    /** A quantity that is not set, as Go prints it. */
    private static final String NIL = "<nil>";

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
                    current(status.path("pods"), "averageValue")
                            + "/"
                            + CellInput.at(spec, "pods.target.averageValue").asText(NIL);
            case "Resource" -> resource(spec.path("resource"), status.path("resource"));
            case "ContainerResource" ->
                    resource(spec.path("containerResource"), status.path("containerResource"));
            default -> "<unknown type>";
        };
    }

    private static String value(JsonNode spec, JsonNode status) {
        JsonNode average = CellInput.at(spec, "target.averageValue");
        return isNil(average)
                ? current(status, "value") + "/" + CellInput.at(spec, "target.value").asText(NIL)
                : CellInput.at(status, "current.averageValue").asText(UNKNOWN)
                        + "/"
                        + average.asText()
                        + " (avg)";
    }

    private static String resource(JsonNode spec, JsonNode status) {
        String name = spec.path("name").asText("") + ": ";
        JsonNode average = CellInput.at(spec, "target.averageValue");
        if (!isNil(average)) {
            return name + current(status, "averageValue") + "/" + average.asText();
        }
        return name
                + percent(CellInput.at(status, "current.averageUtilization"), UNKNOWN)
                + "/"
                + percent(CellInput.at(spec, "target.averageUtilization"), "<auto>");
    }

    /** The status of a metric may be there without this quantity. */
    private static String current(JsonNode status, String member) {
        return isNil(status) ? UNKNOWN : status.path("current").path(member).asText(NIL);
    }

    private static String percent(JsonNode value, String missing) {
        return isNil(value) ? missing : value.asText() + "%";
    }

    private static boolean isNil(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
