package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Cells of nodes, access rules, quotas, admission and the API server's own kinds. */
final class ClusterCells {
    private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
    private static final String NONE = "<none>";
    private static final String UNSET = "<unset>";
    private static final Set<String> POD_CERTIFICATE_STATES = Set.of("Issued", "Denied", "Failed");

    private ClusterCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put("nodeStatus", in -> text(nodeStatus(in)));
        cells.put("nodeRoles", in -> text(nodeRoles(in)));
        cells.put("nodeInternalIp", in -> text(nodeAddress(in, "InternalIP")));
        cells.put("nodeExternalIp", in -> text(nodeAddress(in, "ExternalIP")));
        cells.put("nodeKernel", in -> text(kernel(in)));
        cells.put("roleRef", in -> text(in.text("roleRef.kind") + "/" + in.text("roleRef.name")));
        cells.put("subjectUsers", in -> text(subjects(in, "User")));
        cells.put("subjectGroups", in -> text(subjects(in, "Group")));
        cells.put("subjectServiceAccounts", in -> text(subjects(in, "ServiceAccount")));
        cells.put("quotaRequests", in -> text(quota(in, false)));
        cells.put("quotaLimits", in -> text(quota(in, true)));
        cells.put("paramKind", in -> text(paramKind(in)));
        cells.put("paramRef", in -> text(paramRef(in)));
        cells.put("apiServiceReference", in -> text(apiService(in)));
        cells.put("apiServiceAvailable", in -> text(available(in)));
        cells.put("requestedDuration", in -> text(requestedDuration(in)));
        cells.put("signingCondition", in -> text(signingCondition(in)));
        cells.put("podCertificateState", in -> text(podCertificateState(in)));
        cells.put(
                "podCertificateAnnotations",
                in -> text(CellInput.labels(in.at("spec.unverifiedUserAnnotations"))));
        cells.put("flowSchemaDangling", in -> text(dangling(in)));
        cells.put("claimState", in -> text(claimState(in)));
    }

    private static String nodeStatus(CellInput in) {
        String status = "Unknown";
        for (JsonNode condition : in.at("status.conditions")) {
            if (condition.path("type").asText("").equals("Ready")) {
                status = condition.path("status").asText("").equals("True") ? "Ready" : "NotReady";
            }
        }
        return in.at("spec.unschedulable").asBoolean() ? status + ",SchedulingDisabled" : status;
    }

    private static String nodeRoles(CellInput in) {
        TreeSet<String> roles = new TreeSet<>();
        for (Map.Entry<String, JsonNode> label : in.at("metadata.labels").properties()) {
            if (label.getKey().startsWith(ROLE_PREFIX)) {
                roles.add(label.getKey().substring(ROLE_PREFIX.length()));
            } else if (label.getKey().equals("kubernetes.io/role")) {
                roles.add(label.getValue().asText(""));
            }
        }
        roles.remove("");
        return CellInput.orElse(String.join(",", roles), NONE);
    }

    private static String nodeAddress(CellInput in, String type) {
        for (JsonNode address : in.at("status.addresses")) {
            if (address.path("type").asText("").equals(type)) {
                return address.path("address").asText("");
            }
        }
        return NONE;
    }

    private static String kernel(CellInput in) {
        String kernel = in.text("status.nodeInfo.kernelVersion", "<unknown>");
        String architecture = in.text("status.nodeInfo.architecture");
        return architecture.isEmpty() ? kernel : kernel + " (" + architecture + ")";
    }

    private static String subjects(CellInput in, String kind) {
        List<String> names = new ArrayList<>();
        for (JsonNode subject : in.at("subjects")) {
            if (subject.path("kind").asText("").equals(kind)) {
                String namespace = subject.path("namespace").asText("");
                String name = subject.path("name").asText("");
                names.add(
                        kind.equals("ServiceAccount") && !namespace.isEmpty()
                                ? namespace + "/" + name
                                : name);
            }
        }
        return String.join(", ", names);
    }

    private static String quota(CellInput in, boolean limits) {
        TreeMap<String, String> entries = new TreeMap<>();
        for (Map.Entry<String, JsonNode> hard : in.at("status.hard").properties()) {
            String name = hard.getKey();
            if (name.startsWith("limits.") == limits) {
                String used = in.at("status.used").path(name).asText("0");
                entries.put(name, name + ": " + used + "/" + hard.getValue().asText(""));
            }
        }
        return String.join(", ", entries.values());
    }

    private static String paramKind(CellInput in) {
        return in.isSet("spec.paramKind")
                ? in.text("spec.paramKind.apiVersion") + "/" + in.text("spec.paramKind.kind")
                : UNSET;
    }

    private static String paramRef(CellInput in) {
        String name = in.text("spec.paramRef.name");
        if (!name.isEmpty()) {
            return in.text("spec.paramRef.namespace", "*") + "/" + name;
        }
        return in.isSet("spec.paramRef.selector")
                ? goSelector(in.at("spec.paramRef.selector"))
                : UNSET;
    }

    /** A LabelSelector as Go prints the message. */
    private static String goSelector(JsonNode selector) {
        StringBuilder text = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
        TreeMap<String, String> labels = new TreeMap<>();
        selector.path("matchLabels")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText("")));
        labels.forEach((name, value) -> text.append(name + ": " + value + ","));
        text.append("},MatchExpressions:[]LabelSelectorRequirement{");
        for (JsonNode each : selector.path("matchExpressions")) {
            List<String> values = new ArrayList<>();
            each.path("values").forEach(value -> values.add(value.asText("")));
            text.append(
                    "LabelSelectorRequirement{Key:%s,Operator:%s,Values:[%s],},"
                            .formatted(
                                    each.path("key").asText(""),
                                    each.path("operator").asText(""),
                                    String.join(" ", values)));
        }
        return text.append("},}").toString();
    }

    private static String apiService(CellInput in) {
        return in.isSet("spec.service")
                ? in.text("spec.service.namespace") + "/" + in.text("spec.service.name")
                : "Local";
    }

    private static String available(CellInput in) {
        for (JsonNode condition : in.at("status.conditions")) {
            if (condition.path("type").asText("").equals("Available")) {
                String status = condition.path("status").asText("");
                return status.equals("True")
                        ? status
                        : status + " (" + condition.path("reason").asText("") + ")";
            }
        }
        return "Unknown";
    }

    private static String requestedDuration(CellInput in) {
        return in.isSet("spec.expirationSeconds")
                ? HumanDuration.of(Duration.ofSeconds(in.number("spec.expirationSeconds")))
                : NONE;
    }

    private static String signingCondition(CellInput in) {
        List<String> types = CellInput.texts(in.at("status.conditions"), "type");
        String decision =
                types.contains("Denied")
                        ? "Denied"
                        : types.contains("Approved") ? "Approved" : "Pending";
        return decision
                + (types.contains("Failed") ? ",Failed" : "")
                + (in.text("status.certificate").isEmpty() ? "" : ",Issued");
    }

    /** The conditions exclude each other. */
    private static String podCertificateState(CellInput in) {
        String state = "Pending";
        for (JsonNode condition : in.at("status.conditions")) {
            String type = condition.path("type").asText("");
            if (POD_CERTIFICATE_STATES.contains(type)) {
                state = type;
            }
        }
        return state;
    }

    private static String dangling(CellInput in) {
        for (JsonNode condition : in.at("status.conditions")) {
            if (condition.path("type").asText("").equals("Dangling")) {
                return condition.path("status").asText("");
            }
        }
        return "?";
    }

    private static String claimState(CellInput in) {
        List<String> states = new ArrayList<>();
        if (in.isDeleting()) {
            states.add("deleted");
        }
        if (in.isSet("status.allocation")) {
            states.add("allocated");
            if (!in.at("status.reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (!in.isDeleting()) {
            states.add("pending");
        }
        return String.join(",", states);
    }
}
