package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.json.GoJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Computes the cells of a resource's rows. */
public final class RowCells {
    /** Computes a cell from an object; must not fail for any shape. */
    interface Cell extends Function<CellInput, JsonNode> {}

    private static final Map<String, Cell> FUNCTIONS = functions();

    private final List<Cell> cells;
    private final boolean pods;

    private RowCells(List<Cell> cells, boolean pods) {
        this.cells = cells;
        this.pods = pods;
    }

    /** The columns of a resource's Tables; empty for Name and Created At. */
    public static List<Column> shown(Resource resource) {
        return resource.custom() ? CustomCell.shown(resource.columns()) : resource.columns();
    }

    /** The cells of a resource's kind, or those of its definition's columns. */
    public static RowCells of(Resource resource, List<Column> columns) {
        List<Cell> cells = new ArrayList<>();
        for (Column column : columns) {
            cells.add(resource.custom() ? CustomCell.of(column) : builtIn(column.path()));
        }
        if (resource.qualifiedName().equals("ipaddresses.networking.k8s.io")) {
            cells.add(builtIn("fn:age")); // The API server has a cell without a column here.
        }
        return new RowCells(cells, resource.qualifiedName().equals("pods"));
    }

    /**
     * The cells of one row, in the columns' order.
     *
     * @param now for ages
     */
    public List<JsonNode> of(JsonNode object, Instant now) {
        CellInput input = new CellInput(object, now);
        return cells.stream().map(cell -> cell.apply(input)).toList();
    }

    /** The conditions of a row: marks finished pods, which clients may hide. */
    public ArrayNode conditions(JsonNode object) {
        ArrayNode conditions = GoJson.NODES.arrayNode();
        String phase = CellInput.at(object, "status.phase").asText("");
        if (pods && (phase.equals("Succeeded") || phase.equals("Failed"))) {
            conditions
                    .addObject()
                    .put("type", "Completed")
                    .put("status", "True")
                    .put("reason", phase)
                    .put(
                            "message",
                            phase.equals("Failed")
                                    ? "The pod failed."
                                    : "The pod has completed successfully.");
        }
        return conditions;
    }

    static JsonNode text(String text) {
        return GoJson.NODES.textNode(text);
    }

    static JsonNode number(long number) {
        return GoJson.NODES.numberNode(number);
    }

    /** See {@link Column#path}. */
    private static Cell builtIn(String path) {
        if (path.startsWith("fn:")) {
            Cell function = FUNCTIONS.get(path.substring(3));
            if (function == null) {
                throw new IllegalArgumentException("no such cell: " + path);
            }
            return function;
        }
        if (path.startsWith("count:.")) {
            String counted = path.substring("count:.".length());
            return input -> number(input.at(counted).size());
        }
        boolean asText = path.startsWith("text:");
        String rest = path.substring(asText ? "text:.".length() : 1);
        int bar = rest.indexOf('|');
        String at = bar < 0 ? rest : rest.substring(0, bar);
        boolean keepsEmpty = rest.startsWith("||", bar);
        JsonNode missing =
                literal(bar < 0 ? "" : rest.substring(bar + (keepsEmpty ? 2 : 1)), asText);
        return input -> {
            JsonNode value = input.at(at);
            boolean empty = value.asText("").isEmpty() && !(keepsEmpty && value.isTextual());
            if (empty || value.isNull()) {
                return missing;
            }
            return asText ? text(value.asText()) : value;
        };
    }

    private static JsonNode literal(String text, boolean asText) {
        return switch (asText ? "" : text) {
            case "0" -> number(0);
            case "true" -> GoJson.NODES.booleanNode(true);
            case "false" -> GoJson.NODES.booleanNode(false);
            default -> text(text);
        };
    }

    private static Map<String, Cell> functions() {
        Map<String, Cell> functions = new HashMap<>();
        GeneralCells.addTo(functions);
        PodCells.addTo(functions);
        WorkloadCells.addTo(functions);
        NetworkCells.addTo(functions);
        StorageCells.addTo(functions);
        ClusterCells.addTo(functions);
        ScaleCells.addTo(functions);
        DeviceCells.addTo(functions);
        PodGroupCells.addTo(functions);
        StorageVersionCells.addTo(functions);
        return Map.copyOf(functions);
    }
}
