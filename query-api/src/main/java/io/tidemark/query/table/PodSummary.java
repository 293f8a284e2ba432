package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod's state in a few words, as {@code kubectl get} shows it. The phase says little; people need
 * to know why a container does not run. So the first unfinished init container decides, else the
 * first container that waits or has ended.
 *
 * @param lastRestart when a restarted container last ended; empty when there is none
 */
record PodSummary(
        long readyContainers,
        long totalContainers,
        String status,
        long restarts,
        String lastRestart) {
    static PodSummary of(JsonNode pod) {
        return new Reader(pod).read();
    }

    private static final class Reader {
        private final JsonNode pod;
        private final JsonNode status;
        private final Set<String> sidecars = new HashSet<>();
        private long ready;
        private long restarts;
        private String lastRestart = "";
        private long sidecarRestarts;
        private String lastSidecarRestart = "";
        private String reason;

        Reader(JsonNode pod) {
            this.pod = pod;
            this.status = pod.path("status");
            String phase = status.path("phase").asText("");
            this.reason = CellInput.orElse(status.path("reason").asText(""), phase);
        }

        PodSummary read() {
            for (JsonNode condition : status.path("conditions")) {
                if (condition.path("type").asText("").equals("PodScheduled")
                        && condition.path("reason").asText("").equals("SchedulingGated")) {
                    reason = "SchedulingGated";
                }
            }
            for (JsonNode container : CellInput.at(pod, "spec.initContainers")) {
                if (container.path("restartPolicy").asText("").equals("Always")) {
                    sidecars.add(container.path("name").asText(""));
                }
            }
            boolean initializing = readInitContainers();
            if (!initializing || PodCells.isTrue(status.path("conditions"), "Initialized")) {
                readContainers();
            }
            long total = CellInput.at(pod, "spec.containers").size() + (long) sidecars.size();
            return new PodSummary(ready, total, deletion(), restarts, lastRestart);
        }

        /** Whether an init container has not finished. */
        private boolean readInitContainers() {
            int index = 0;
            for (JsonNode container : status.path("initContainerStatuses")) {
                boolean sidecar = sidecars.contains(container.path("name").asText(""));
                restarts += container.path("restartCount").asLong();
                lastRestart = later(lastRestart, container);
                if (sidecar) {
                    sidecarRestarts += container.path("restartCount").asLong();
                    lastSidecarRestart = later(lastSidecarRestart, container);
                }
                JsonNode terminated = CellInput.at(container, "state.terminated");
                boolean done = terminated.isObject() && terminated.path("exitCode").asLong() == 0;
                boolean running = sidecar && container.path("started").asBoolean();
                if (!done && running && container.path("ready").asBoolean()) {
                    ready++;
                }
                if (!done && !running) {
                    reason = "Init:" + initReason(container, index);
                    return true;
                }
                index++;
            }
            return false;
        }

        private String initReason(JsonNode container, int index) {
            JsonNode terminated = CellInput.at(container, "state.terminated");
            if (terminated.isObject()) {
                return ended(terminated);
            }
            String waiting = CellInput.at(container, "state.waiting.reason").asText("");
            return waiting.isEmpty() || waiting.equals("PodInitializing")
                    ? index + "/" + CellInput.at(pod, "spec.initContainers").size()
                    : waiting;
        }

        private void readContainers() {
            restarts = sidecarRestarts;
            lastRestart = lastSidecarRestart;
            boolean anyRuns = false;
            JsonNode containers = status.path("containerStatuses");
            for (int i = containers.size() - 1; i >= 0; i--) {
                JsonNode container = containers.path(i);
                restarts += container.path("restartCount").asLong();
                lastRestart = later(lastRestart, container);
                String waiting = CellInput.at(container, "state.waiting.reason").asText("");
                JsonNode terminated = CellInput.at(container, "state.terminated");
                if (!waiting.isEmpty()) {
                    reason = waiting;
                } else if (terminated.isObject()) {
                    reason = ended(terminated);
                } else if (container.path("ready").asBoolean()
                        && CellInput.at(container, "state.running").isObject()) {
                    anyRuns = true;
                    ready++;
                }
            }
            if (reason.equals("Completed") && anyRuns) {
                reason =
                        PodCells.isTrue(status.path("conditions"), "Ready")
                                ? "Running"
                                : "NotReady";
            }
        }

        private String deletion() {
            boolean deleting =
                    !CellInput.at(pod, "metadata.deletionTimestamp").asText("").isEmpty();
            String phase = status.path("phase").asText("");
            if (deleting && status.path("reason").asText("").equals("NodeLost")) {
                return "Unknown";
            }
            return deleting && !phase.equals("Succeeded") && !phase.equals("Failed")
                    ? "Terminating"
                    : reason;
        }

        private static String ended(JsonNode terminated) {
            String why = terminated.path("reason").asText("");
            if (!why.isEmpty()) {
                return why;
            }
            long signal = terminated.path("signal").asLong();
            return signal != 0
                    ? "Signal:" + signal
                    : "ExitCode:" + terminated.path("exitCode").asLong();
        }

        private static String later(String time, JsonNode container) {
            String ended = CellInput.at(container, "lastState.terminated.finishedAt").asText("");
            @Nullable Instant before = HumanDuration.parse(time);
            @Nullable Instant then = HumanDuration.parse(ended);
            return then != null && (before == null || then.isAfter(before)) ? ended : time;
        }
    }
}
