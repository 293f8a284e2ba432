package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.json.GoNumbers;
import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.json.GoJson;
import io.tidemark.query.table.RowCells.Cell;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Cells of custom resources: the value at the column's path if it has the column's type; else null.
 * Numbers are those of Go, which holds whole ones beyond 64 bits as doubles.
 */
final class CustomCell {
    private CustomCell() {}

    static Cell of(Column column) {
        Optional<JsonPath> path = JsonPath.parse(column.path());
        boolean isName = column.format().equals("name") && column.path().equals(".metadata.name");
        return in ->
                path.flatMap(p -> p.first(in.object()))
                        .map(value -> cell(column.type(), value, in))
                        .orElseGet(() -> isName ? RowCells.text("") : GoJson.NODES.nullNode());
    }

    /** Those before the first one whose path the API server refuses: it shows no others. */
    static List<Column> shown(List<Column> columns) {
        return columns.stream()
                .takeWhile(column -> JsonPath.parse(column.path()).isPresent())
                .toList();
    }

    private static JsonNode cell(String type, JsonNode value, CellInput in) {
        JsonNode none = GoJson.NODES.nullNode();
        return switch (type) {
            case "string" -> RowCells.text(printed(value));
            case "integer" -> isFinite(value) ? RowCells.number(whole(value)) : none;
            case "number" -> isFinite(value) ? GoJson.NODES.numberNode(value.doubleValue()) : none;
            case "boolean" -> value.isBoolean() ? value : none;
            case "date" -> value.isTextual() ? RowCells.text(age(value.asText(), in)) : none;
            default -> none;
        };
    }

    private static boolean isFinite(JsonNode value) {
        return value.isNumber() && Double.isFinite(value.doubleValue());
    }

    /** Go makes the least number of doubles beyond 64 bits, on the usual processors. */
    private static long whole(JsonNode number) {
        double value = number.doubleValue();
        boolean fits =
                number.isIntegralNumber() ? number.canConvertToLong() : Math.abs(value) < 0x1p63;
        return fits ? number.longValue() : Long.MIN_VALUE;
    }

    private static String age(String timestamp, CellInput in) {
        if (timestamp.isEmpty() || timestamp.equals("null")) {
            return "<unknown>";
        }
        return HumanDuration.parse(timestamp) == null
                ? "<invalid>"
                : HumanDuration.since(timestamp, in.now());
    }

    private static String printed(JsonNode value) {
        if (value.isNull()) {
            return "<no value>";
        }
        if (isFinite(value) && !(value.isIntegralNumber() && value.canConvertToLong())) {
            return GoNumbers.general(value.doubleValue());
        }
        return value.isValueNode()
                ? value.asText()
                : new String(GoJson.write(value), StandardCharsets.UTF_8);
    }
}
