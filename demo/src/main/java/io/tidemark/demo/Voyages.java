package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The life cycle of a voyage, a custom resource: loading, at sea, arrived. Pure. */
final class Voyages {
    private Voyages() {}

    static ObjectNode create(
            RandomValues values, String namespace, String ship, String from, Instant now) {
        List<String> elsewhere =
                DemoData.PORTS.stream().filter(port -> !port.equals(from)).toList();
        String to = values.pick(elsewhere);
        Map<String, Object> fields = new HashMap<>();
        fields.put("name", ship + "-" + values.suffix(5));
        fields.put("namespace", namespace);
        fields.put("uid", values.uid());
        fields.put("created", RandomValues.seconds(now));
        fields.put("now", RandomValues.seconds(now));
        fields.put("ship", ship);
        fields.put("from", from);
        fields.put("to", to);
        fields.put("route", from + "-" + to);
        fields.put("cargo", 500 + values.below(9500));
        return Templates.render("voyage", fields);
    }

    /** Advances a voyage by one step; does nothing once it has arrived. */
    static void sail(ObjectNode voyage, RandomValues values, Instant now) {
        if (hasArrived(voyage)) {
            return;
        }
        ObjectNode status = (ObjectNode) voyage.get("status");
        int progress = status.get("progressPercent").asInt();
        boolean loading = status.get("phase").asText().equals("Loading");
        int next = loading ? 0 : Math.min(100, progress + 5 + values.below(20));
        status.put("knots", next == 100 ? 0 : 8 + values.below(14));
        status.put("lastSighting", RandomValues.seconds(now));
        status.put("phase", next == 100 ? "Arrived" : "AtSea");
        status.put("progressPercent", next);
    }

    static boolean hasArrived(ObjectNode voyage) {
        return voyage.at("/status/phase").asText().equals("Arrived");
    }
}
