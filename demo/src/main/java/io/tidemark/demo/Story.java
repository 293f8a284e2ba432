package io.tidemark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.demo.ClusterStore.Stored;
import io.tidemark.demo.EventRecorder.Report;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Something to find in the example cluster: a rollout that goes wrong and is rolled back, an edited
 * ConfigMap, a node that goes away and returns, a Deployment that is scaled; again every five
 * minutes.
 */
final class Story {
    private static final Duration LENGTH = Duration.ofMinutes(5);
    private static final String NAMESPACE = "market";
    private static final String APP = "storefront";
    private static final String BROKEN = "1.11.0-rc1";
    private static final String IMAGE = "image";

    /** Annotation with the image to go back to. */
    private static final String BEFORE = "demo.tidemark.io/image-before";

    private static final String NODE = "pier-3";

    private final ClusterStore store;
    private final EventRecorder events;
    private final DeploymentController deployments;
    private final InstantSource clock;
    private final List<Act> acts =
            List.of(
                    new Act(20, this::editConfigMap),
                    new Act(45, this::rollOut),
                    new Act(52, () -> report("Failed", "Failed to pull image: not found")),
                    new Act(60, () -> report("BackOff", "Back-off pulling image")),
                    new Act(80, this::rollBack),
                    new Act(110, () -> nodeIs("Unknown", "NodeStatusUnknown")),
                    new Act(140, () -> nodeIs("True", "KubeletReady")),
                    new Act(165, () -> scale(12)),
                    new Act(200, () -> scale(8)));

    /** Empty before the first step. */
    private Optional<Instant> began = Optional.empty();

    private int next;

    /**
     * @param after seconds after the story has begun
     * @param play returns whether it wrote to etcd
     */
    private record Act(int after, BooleanSupplier play) {}

    Story(
            ClusterStore store,
            EventRecorder events,
            DeploymentController deployments,
            InstantSource clock) {
        this.store = store;
        this.events = events;
        this.deployments = deployments;
        this.clock = clock;
    }

    /** Plays the next act if its time has come; returns whether it wrote to etcd. */
    boolean step() {
        Instant now = clock.instant();
        Instant start = began.orElse(now);
        began = Optional.of(start);
        if (next == acts.size()) {
            if (now.isBefore(start.plus(LENGTH))) {
                return false;
            }
            began = Optional.of(now);
            next = 0;
            return false;
        }
        Act act = acts.get(next);
        if (now.isBefore(start.plusSeconds(act.after()))) {
            return false;
        }
        next++;
        return act.play().getAsBoolean();
    }

    private boolean editConfigMap() {
        return edit(
                Directories.CONFIG_MAPS,
                APP + "-config",
                "kubectl-edit",
                List.of("data", "feature.checkout"),
                map -> {
                    boolean on = map.at("/data/feature.checkout").asText().equals("new basket");
                    map.withObjectProperty("data")
                            .put("feature.checkout", on ? "old basket" : "new basket");
                });
    }

    private boolean rollOut() {
        String image = image();
        return !image.isEmpty()
                && !image.endsWith(BROKEN)
                && setImage(
                        image.replaceFirst(":[^:/]*$", ":" + BROKEN), image, "argocd-controller");
    }

    /** Also a rollout of a process before this one. */
    private boolean rollBack() {
        String before =
                deployment()
                        .map(found ->
                                found.json().path("metadata").path("annotations").path(BEFORE))
                        .map(JsonNode::asText)
                        .orElse("");
        return !before.isEmpty() && setImage(before, "", "kubectl-rollout");
    }

    private String image() {
        return deployment().map(found -> container(found.json()).path(IMAGE).asText()).orElse("");
    }

    private Optional<Stored> deployment() {
        return store.read(Directories.key(Directories.DEPLOYMENTS, NAMESPACE, APP));
    }

    /**
     * @param before the image to go back to; empty for none
     */
    private boolean setImage(String image, String before, String manager) {
        return edit(
                Directories.DEPLOYMENTS,
                APP,
                manager,
                List.of(
                        "spec",
                        "template",
                        "spec",
                        "containers",
                        "k:{\"name\":\"%s\"}".formatted(APP),
                        IMAGE),
                deployment -> {
                    if (container(deployment) instanceof ObjectNode container) {
                        container.put(IMAGE, image);
                    }
                    ObjectNode annotations =
                            deployment
                                    .withObjectProperty("metadata")
                                    .withObjectProperty("annotations");
                    if (before.isEmpty()) {
                        annotations.remove(BEFORE);
                    } else {
                        annotations.put(BEFORE, before);
                    }
                });
    }

    private static JsonNode container(ObjectNode deployment) {
        return deployment.at("/spec/template/spec/containers/0");
    }

    /** A warning about a Pod of the Deployment. */
    private boolean report(String reason, String message) {
        return store.list(Directories.PODS + "/" + NAMESPACE).stream()
                .filter(pod -> pod.json().at("/metadata/labels/app").asText().equals(APP))
                .findFirst()
                .map(pod -> events.write(pod.json(), Report.warning(reason, message, "kubelet")))
                .orElse(false);
    }

    private boolean nodeIs(String ready, String reason) {
        Optional<Stored> node = store.read(Directories.key(Directories.NODES, NODE));
        if (node.isEmpty()) {
            return false;
        }
        for (JsonNode condition : node.get().json().at("/status/conditions")) {
            if (condition.path("type").asText().equals("Ready")) {
                ((ObjectNode) condition)
                        .put("status", ready)
                        .put("reason", reason)
                        .put("lastTransitionTime", RandomValues.seconds(clock.instant()));
            }
        }
        manage(
                node.get().json(),
                "node-lifecycle-controller",
                List.of("status", "conditions", "k:{\"type\":\"Ready\"}", "status"));
        return store.update(node.get());
    }

    private boolean scale(int replicas) {
        boolean scaled =
                edit(
                        Directories.DEPLOYMENTS,
                        "cart",
                        "kubectl-scale",
                        List.of("spec", "replicas"),
                        deployment ->
                                deployment.withObjectProperty("spec").put("replicas", replicas));
        deployments.requeue(NAMESPACE, "cart");
        return scaled;
    }

    private boolean edit(
            String directory,
            String name,
            String manager,
            List<String> field,
            Consumer<ObjectNode> change) {
        Optional<Stored> found = store.read(Directories.key(directory, NAMESPACE, name));
        if (found.isEmpty()) {
            return false;
        }
        ObjectNode object = found.get().json();
        change.accept(object);
        ObjectNode metadata = object.withObjectProperty("metadata");
        if (metadata.has("generation")) {
            metadata.put("generation", metadata.path("generation").asInt() + 1);
        }
        manage(object, manager, field);
        return store.update(found.get());
    }

    /**
     * Makes a manager the one that wrote a field last. The store sets the time of the last entry.
     */
    private static void manage(ObjectNode object, String manager, List<String> field) {
        ArrayNode managed =
                object.withObjectProperty("metadata").withArrayProperty("managedFields");
        for (int i = managed.size() - 1; i >= 0; i--) {
            if (managed.get(i).path("manager").asText().equals(manager)) {
                managed.remove(i);
            }
        }
        ObjectNode entry = managed.addObject();
        entry.put("manager", manager).put("operation", "Update");
        entry.put("apiVersion", object.path("apiVersion").asText());
        entry.put("time", "").put("fieldsType", "FieldsV1");
        ObjectNode fields = entry.putObject("fieldsV1");
        for (String name : field) {
            fields = fields.putObject(name.startsWith("k:") ? name : "f:" + name);
        }
    }
}
