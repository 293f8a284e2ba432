package io.tidemark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The life cycle of a pod, as written by controller, scheduler and kubelet. Pure. */
final class Pods {
    private static final Duration GRACE = Duration.ofSeconds(30);

    private Pods() {}

    /** As the controller creates it: pending, without a node. */
    static ObjectNode pending(ObjectNode replicaSet, RandomValues values, Instant now) {
        ObjectNode pod = running(replicaSet, values, now, "", "");
        ((ObjectNode) pod.get("spec")).remove("nodeName");
        pod.putObject("status").put("phase", "Pending").put("qosClass", "Burstable");
        return pod;
    }

    /** Scheduled and ready. */
    static ObjectNode running(
            ObjectNode replicaSet, RandomValues values, Instant now, String hostIp, String podIp) {
        JsonNode template = replicaSet.at("/spec/template");
        JsonNode container = template.at("/spec/containers/0");
        Map<String, Object> fields = new HashMap<>();
        String name = replicaSet.at("/metadata/name").asText();
        fields.put("replicaSet", name);
        fields.put("replicaSetUid", replicaSet.at("/metadata/uid").asText());
        fields.put("name", name + "-" + values.suffix(5));
        fields.put("namespace", replicaSet.at("/metadata/namespace").asText());
        fields.put("uid", values.uid());
        fields.put("created", RandomValues.seconds(now));
        fields.put("app", template.at("/metadata/labels/app").asText());
        fields.put("tier", template.at("/metadata/labels/tier").asText());
        fields.put("hash", template.at("/metadata/labels/pod-template-hash").asText());
        fields.put("podSpec", template.get("spec"));
        fields.put("image", container.get("image").asText());
        fields.put("imageId", "sha256:" + values.hex(32));
        fields.put("containerId", "containerd://" + values.hex(32));
        fields.put("hostIp", hostIp);
        fields.put("podIp", podIp);
        return Templates.render("pod", fields);
    }

    static void schedule(ObjectNode pod, String node, Instant now) {
        spec(pod).put("nodeName", node);
        ArrayNode conditions = status(pod).putArray("conditions");
        condition(conditions, "PodScheduled", "True", now);
    }

    /** The kubelet has started it: status as in {@code example}, which is a running pod. */
    static void start(ObjectNode pod, ObjectNode example) {
        pod.set("status", example.get("status"));
    }

    static void fail(ObjectNode pod, Instant now) {
        ObjectNode container = container(pod);
        String startedAt =
                container.at("/state/running/startedAt").asText(RandomValues.seconds(now));
        container
                .putObject("state")
                .putObject("terminated")
                .put("exitCode", 137)
                .put("reason", "OOMKilled")
                .put("startedAt", startedAt)
                .put("finishedAt", RandomValues.seconds(now));
        container.put("started", false);
        setReady(pod, false, now);
    }

    static void restart(ObjectNode pod, Instant now) {
        ObjectNode container = container(pod);
        container.set("lastState", container.get("state"));
        container
                .putObject("state")
                .putObject("running")
                .put("startedAt", RandomValues.seconds(now));
        container.put("restartCount", container.get("restartCount").asInt() + 1);
        container.put("started", true);
        setReady(pod, true, now);
    }

    /** Deletion with grace: the object stays until the kubelet has stopped it. */
    static void terminate(ObjectNode pod, Instant now) {
        ((ObjectNode) pod.get("metadata"))
                .put("deletionTimestamp", RandomValues.seconds(now.plus(GRACE)))
                .put("deletionGracePeriodSeconds", GRACE.toSeconds());
        if (isStarted(pod)) {
            setReady(pod, false, now);
        }
    }

    static boolean isTerminating(ObjectNode pod) {
        return pod.at("/metadata").has("deletionTimestamp");
    }

    static boolean isScheduled(ObjectNode pod) {
        return pod.at("/spec").has("nodeName");
    }

    static boolean isStarted(ObjectNode pod) {
        return pod.at("/status").has("containerStatuses");
    }

    static boolean isReady(ObjectNode pod) {
        return pod.at("/status/containerStatuses/0/ready").asBoolean();
    }

    private static void setReady(ObjectNode pod, boolean ready, Instant now) {
        container(pod).put("ready", ready);
        for (JsonNode condition : status(pod).get("conditions")) {
            String type = condition.get("type").asText();
            if (type.equals("Ready") || type.equals("ContainersReady")) {
                ((ObjectNode) condition)
                        .put("status", ready ? "True" : "False")
                        .put("lastTransitionTime", RandomValues.seconds(now));
            }
        }
    }

    private static void condition(ArrayNode conditions, String type, String status, Instant now) {
        conditions
                .addObject()
                .put("type", type)
                .put("status", status)
                .putNull("lastProbeTime")
                .put("lastTransitionTime", RandomValues.seconds(now));
    }

    private static ObjectNode spec(ObjectNode pod) {
        return (ObjectNode) pod.get("spec");
    }

    private static ObjectNode status(ObjectNode pod) {
        return (ObjectNode) pod.get("status");
    }

    private static ObjectNode container(ObjectNode pod) {
        return (ObjectNode) pod.at("/status/containerStatuses/0");
    }
}
