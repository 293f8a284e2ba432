package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.number;
import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Cells of many kinds, and those of events. */
final class GeneralCells {
    /** Go's time zero, which the API server prints here, unlike in other cells. */
    private static final String NO_TIME = "0001-01-01T00:00:00Z";

    private GeneralCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put("name", in -> text(in.text("metadata.name")));
        cells.put("age", in -> text(in.age("metadata.creationTimestamp")));
        cells.put("createdAt", in -> text(in.text("metadata.creationTimestamp", NO_TIME)));
        cells.put(
                "configMapData",
                in -> number(in.at("data").size() + (long) in.at("binaryData").size()));
        cells.put("dataCount", in -> number(in.at("data").size()));
        cells.put("selector", in -> selector(in.at("spec.selector")));
        cells.put("selectorMap", in -> text(CellInput.labels(in.at("spec.selector"))));
        cells.put("eventLastSeen", in -> text(lastSeen(in)));
        cells.put("eventFirstSeen", in -> text(firstSeen(in)));
        cells.put("eventObject", in -> text(involved(in)));
        cells.put(
                "eventSubobject",
                in -> text(in.text("involvedObject.fieldPath", in.text("regarding.fieldPath"))));
        cells.put("eventSource", in -> text(source(in)));
        cells.put("eventMessage", in -> text(in.text("message", in.text("note")).strip()));
        cells.put("eventCount", in -> number(count(in)));
    }

    static JsonNode selector(JsonNode selector) {
        return text(CellInput.orElse(CellInput.selector(selector), "<none>"));
    }

    private static String firstSeen(CellInput in) {
        for (String path : List.of("firstTimestamp", "deprecatedFirstTimestamp", "eventTime")) {
            if (!in.text(path).isEmpty() && in.isSet(path)) {
                return in.age(path);
            }
        }
        return in.age("eventTime");
    }

    private static String lastSeen(CellInput in) {
        if (in.isSet("series")) {
            return in.age("series.lastObservedTime");
        }
        for (String path : List.of("lastTimestamp", "deprecatedLastTimestamp")) {
            if (in.isSet(path)) {
                return in.age(path);
            }
        }
        return firstSeen(in);
    }

    private static long count(CellInput in) {
        if (in.isSet("series")) {
            return in.number("series.count");
        }
        long count = in.isSet("count") ? in.number("count") : in.number("deprecatedCount");
        return count == 0 ? 1 : count;
    }

    private static String involved(CellInput in) {
        String place = in.isSet("involvedObject") ? "involvedObject" : "regarding";
        String kind = in.text(place + ".kind").toLowerCase(Locale.ROOT);
        String name = in.text(place + ".name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(CellInput in) {
        String place = in.isSet("source") ? "source" : "deprecatedSource";
        String component =
                in.text(
                        place + ".component",
                        in.text("reportingComponent", in.text("reportingController")));
        String instance = in.text(place + ".host", in.text("reportingInstance"));
        return instance.isEmpty() ? component : component + ", " + instance;
    }
}
