package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.demo.ClusterStore.Stored;
import io.tidemark.demo.EventRecorder.Report;
import io.tidemark.record.Bytes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The controllers of deployments, replica sets and endpoint slices: reconciles actual with desired
 * state, one write at a time, with all state in etcd.
 */
final class DeploymentController {
    private static final int MAX_REPLICAS = 20;

    private final ClusterStore store;
    private final EventRecorder events;
    private final RandomValues values;
    private final InstantSource clock;
    private final WorkQueue queue;
    private final PodSimulation pods;

    DeploymentController(
            ClusterStore store,
            EventRecorder events,
            RandomValues values,
            InstantSource clock,
            WorkQueue queue,
            PodSimulation pods) {
        this.store = store;
        this.events = events;
        this.values = values;
        this.clock = clock;
        this.queue = queue;
        this.pods = pods;
    }

    /** Scales a random deployment by one. */
    boolean scaleOne() {
        List<Bytes> keys = store.keys(Directories.DEPLOYMENTS);
        Optional<Stored> picked = keys.isEmpty() ? Optional.empty() : store.read(values.pick(keys));
        if (picked.isEmpty()) {
            return false;
        }
        Stored deployment = picked.get();
        int replicas = deployment.json().at("/spec/replicas").asInt();
        boolean up = replicas <= 1 || (replicas < MAX_REPLICAS && values.below(2) == 0);
        int desired = replicas + (up ? 1 : -1);
        setReplicas(deployment.json(), desired);
        if (!store.update(deployment)) {
            return false;
        }
        String message = "Scaled from %d to %d".formatted(replicas, desired);
        Report report = Report.normal("ScalingReplicaSet", message, "deployment-controller");
        queue.enqueue("scaled " + deployment.key(), () -> events.write(deployment.json(), report));
        requeue(deployment.namespace(), deployment.name());
        return true;
    }

    /** Queues a reconciliation of this deployment. */
    void requeue(String namespace, String name) {
        queue.enqueue(
                "reconcile " + namespace + "/" + name,
                () -> {
                    boolean written = reconcile(namespace, name);
                    if (written) {
                        requeue(namespace, name);
                    }
                    return written;
                });
    }

    private boolean reconcile(String namespace, String name) {
        Optional<Stored> deployment =
                store.read(Directories.key(Directories.DEPLOYMENTS, namespace, name));
        Optional<Stored> replicaSet = ofApp(Directories.REPLICA_SETS, namespace, name).findFirst();
        if (deployment.isEmpty() || replicaSet.isEmpty()) {
            return false;
        }
        List<Stored> all = ofApp(Directories.PODS, namespace, name).toList();
        List<Stored> living = all.stream().filter(pod -> !Pods.isTerminating(pod.json())).toList();
        int desired = deployment.get().json().at("/spec/replicas").asInt();
        if (replicaSet.get().json().at("/spec/replicas").asInt() != desired) {
            setReplicas(replicaSet.get().json(), desired);
            return store.update(replicaSet.get());
        }
        if (living.size() < desired) {
            return createPod(replicaSet.get());
        }
        if (living.size() > desired) {
            return pods.terminate(values.pick(living));
        }
        int ready = (int) living.stream().filter(pod -> Pods.isReady(pod.json())).count();
        return updateStatus(replicaSet.get(), desired, ready, "fullyLabeledReplicas")
                || updateStatus(deployment.get(), desired, ready, "updatedReplicas")
                || updateEndpoints(namespace, name, all);
    }

    private boolean createPod(Stored replicaSet) {
        ObjectNode pod = Pods.pending(replicaSet.json(), values, clock.instant());
        if (!store.create(Directories.key(Directories.PODS, pod), pod)) {
            return false;
        }
        pods.resume(pod);
        String name = pod.at("/metadata/name").asText();
        Report report =
                Report.normal("SuccessfulCreate", "Created pod: " + name, "replicaset-controller");
        queue.enqueue("created " + name, () -> events.write(replicaSet.json(), report));
        return true;
    }

    private boolean updateStatus(Stored owner, int replicas, int ready, String also) {
        ObjectNode status = ((ObjectNode) owner.json().get("status")).deepCopy();
        status.put("observedGeneration", owner.json().at("/metadata/generation").asInt());
        status.put("replicas", replicas);
        status.put(also, replicas);
        status.put("readyReplicas", ready);
        status.put("availableReplicas", ready);
        if (also.equals("updatedReplicas")) {
            status.put("unavailableReplicas", replicas - ready);
        }
        // The API server leaves out zeros.
        List.of("readyReplicas", "availableReplicas", "unavailableReplicas")
                .forEach(field -> {
                    if (status.path(field).asInt() == 0) {
                        status.remove(field);
                    }
                });
        if (status.equals(owner.json().get("status"))) {
            return false;
        }
        owner.json().set("status", status);
        return store.update(owner);
    }

    private boolean updateEndpoints(String namespace, String name, List<Stored> pods) {
        Optional<Stored> slice = ofApp(Directories.ENDPOINT_SLICES, namespace, name).findFirst();
        if (slice.isEmpty()) {
            return false;
        }
        ArrayNode endpoints =
                InitialCluster.endpoints(
                        pods.stream().map(Stored::json).filter(Pods::isStarted).toList());
        ObjectNode json = slice.get().json();
        // Compares text, as parsed numbers may differ only in their Java class.
        if (endpoints.toString().equals(json.path("endpoints").toString())) {
            return false;
        }
        json.set("endpoints", endpoints);
        raiseGeneration(json);
        return store.update(slice.get());
    }

    private Stream<Stored> ofApp(String directory, String namespace, String name) {
        return store.list(directory + "/" + namespace).stream()
                .filter(one -> one.json().at("/metadata/labels/app").asText().equals(name));
    }

    private static void setReplicas(ObjectNode owner, int replicas) {
        ((ObjectNode) owner.get("spec")).put("replicas", replicas);
        raiseGeneration(owner);
    }

    private static void raiseGeneration(ObjectNode object) {
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        metadata.put("generation", metadata.path("generation").asInt() + 1);
    }
}
