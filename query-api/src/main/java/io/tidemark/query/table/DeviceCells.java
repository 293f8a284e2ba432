package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.util.Map;
import java.util.Optional;

/** Cells of taints of devices and of requests for the status of device pools. */
final class DeviceCells {
    private static final String COMPLETE = "Complete";
    private static final String FAILED = "Failed";

    private DeviceCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put(
                "taintTimeAdded",
                in -> text(in.isSet("spec.taint.timeAdded") ? in.age("spec.taint.timeAdded") : ""));
        cells.put("poolTotal", in -> text(sum(in, "totalDevices")));
        cells.put("poolAvailable", in -> text(sum(in, "availableDevices")));
        cells.put("poolAllocated", in -> text(sum(in, "allocatedDevices")));
        cells.put("poolUnavailable", in -> text(sum(in, "unavailableDevices")));
        cells.put("poolErrors", in -> text(errors(in)));
        cells.put("poolStatus", in -> text(status(in)));
        cells.put("poolCompleted", in -> text(completed(in)));
    }

    /** The first condition that ends a request. */
    private static Optional<JsonNode> end(CellInput in) {
        for (JsonNode condition : in.at("status.conditions")) {
            String type = condition.path("type").asText("");
            boolean ends = type.equals(COMPLETE) || type.equals(FAILED);
            if (ends && condition.path("status").asText("").equals("True")) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    private static boolean ended(CellInput in, String type) {
        return end(in).map(end -> end.path("type").asText("")).orElse("").equals(type);
    }

    /** A failed request and one without a status count no devices. */
    private static boolean counts(CellInput in) {
        return in.isSet("status") && !ended(in, FAILED);
    }

    private static String sum(CellInput in, String member) {
        if (!counts(in)) {
            return "-";
        }
        long sum = 0;
        for (JsonNode pool : in.at("status.pools")) {
            sum += pool.path(member).asLong();
        }
        return Long.toString(sum);
    }

    private static String errors(CellInput in) {
        if (!counts(in)) {
            return "-";
        }
        int errors = 0;
        for (JsonNode pool : in.at("status.pools")) {
            errors += pool.hasNonNull("validationError") ? 1 : 0;
        }
        return Integer.toString(errors);
    }

    private static String status(CellInput in) {
        if (ended(in, FAILED)) {
            return FAILED;
        }
        if (!ended(in, COMPLETE)) {
            return "Pending";
        }
        int shown = in.at("status.pools").size();
        long all = in.number("status.poolCount");
        return all > shown ? "%s (%d/%d pools)".formatted(COMPLETE, shown, all) : COMPLETE;
    }

    private static String completed(CellInput in) {
        return end(in).filter(end -> end.path("type").asText("").equals(COMPLETE))
                .map(end ->
                        HumanDuration.since(end.path("lastTransitionTime").asText(""), in.now()))
                .orElse("<none>");
    }
}
