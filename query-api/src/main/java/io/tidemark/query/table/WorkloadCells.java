package io.tidemark.query.table;

import static io.tidemark.query.table.RowCells.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.query.table.RowCells.Cell;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of workloads: deployments, sets, jobs and the like. */
final class WorkloadCells {
    /** Paths of the pod template in the different kinds. */
    private static final List<String> TEMPLATES =
            List.of("spec.jobTemplate.spec.template", "spec.template", "template");

    private WorkloadCells() {}

    static void addTo(Map<String, Cell> cells) {
        cells.put("containers", in -> containers(in, "name"));
        cells.put("images", in -> containers(in, "image"));
        cells.put(
                "podTemplateLabels",
                in -> text(CellInput.labels(in.at("template.metadata.labels"))));
        cells.put(
                "templateNodeSelector",
                in -> text(CellInput.labels(in.at("spec.template.spec.nodeSelector"))));
        cells.put(
                "replicasReady",
                in -> text(in.number("status.readyReplicas") + "/" + in.number("spec.replicas")));
        cells.put("deploymentSelector", in -> text(CellInput.selector(in.at("spec.selector"))));
        cells.put("controller", in -> text(controller(in)));
        cells.put("cronJobSuspend", in -> text(suspend(in)));
        cells.put(
                "cronJobLastSchedule",
                in ->
                        text(
                                in.isSet("status.lastScheduleTime")
                                        ? in.age("status.lastScheduleTime")
                                        : "<none>"));
        cells.put(
                "cronJobSelector",
                in -> GeneralCells.selector(in.at("spec.jobTemplate.spec.selector")));
        cells.put("jobStatus", in -> text(jobStatus(in)));
        cells.put("jobCompletions", in -> text(jobCompletions(in)));
        cells.put("jobDuration", in -> text(jobDuration(in)));
    }

    private static JsonNode containers(CellInput in, String member) {
        for (String template : TEMPLATES) {
            if (in.isSet(template)) {
                return text(
                        String.join(
                                ",",
                                CellInput.texts(in.at(template + ".spec.containers"), member)));
            }
        }
        return text("");
    }

    private static String controller(CellInput in) {
        for (JsonNode owner : in.at("metadata.ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                String apiVersion = owner.path("apiVersion").asText("");
                int slash = apiVersion.indexOf('/');
                String kind =
                        owner.path("kind").asText("")
                                + (slash < 0 ? "" : "." + apiVersion.substring(0, slash));
                return kind.toLowerCase(Locale.ROOT) + "/" + owner.path("name").asText("");
            }
        }
        return "<none>";
    }

    private static String suspend(CellInput in) {
        if (!in.isSet("spec.suspend")) {
            return "<unset>";
        }
        return in.at("spec.suspend").asBoolean() ? "True" : "False";
    }

    private static String jobStatus(CellInput in) {
        JsonNode conditions = in.at("status.conditions");
        if (PodCells.isTrue(conditions, "Complete")) {
            return "Complete";
        }
        if (PodCells.isTrue(conditions, "Failed")) {
            return "Failed";
        }
        if (in.isDeleting()) {
            return "Terminating";
        }
        if (PodCells.isTrue(conditions, "Suspended")) {
            return "Suspended";
        }
        if (PodCells.isTrue(conditions, "FailureTarget")) {
            return "FailureTarget";
        }
        return PodCells.isTrue(conditions, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static String jobCompletions(CellInput in) {
        String succeeded = in.number("status.succeeded") + "/";
        if (in.isSet("spec.completions")) {
            return succeeded + in.number("spec.completions");
        }
        long parallelism = in.number("spec.parallelism");
        return parallelism > 1 ? succeeded + "1 of " + parallelism : succeeded + "1";
    }

    private static String jobDuration(CellInput in) {
        @Nullable Instant start = HumanDuration.parse(in.text("status.startTime"));
        if (start == null) {
            return "";
        }
        @Nullable Instant end = HumanDuration.parse(in.text("status.completionTime"));
        return HumanDuration.of(Duration.between(start, end == null ? in.now() : end));
    }
}
