package io.tidemark.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.demo.ClusterStore.Stored;
import io.tidemark.record.Bytes;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Simulates the example cluster: each step continues earlier work, or begins a random change. All
 * state is in etcd, so that it can resume from there. Confined to one thread.
 */
final class ClusterSimulation {
    /** With this many queued steps, no random change begins. */
    private static final int MANY = 40;

    private static final String NODE_LEASES = Directories.LEASES + "/kube-node-lease";

    private final ClusterStore store;
    private final RandomValues values;
    private final InstantSource clock;
    private final WorkQueue queue = new WorkQueue();
    private final PodSimulation pods;
    private final DeploymentController deployments;
    private final Story story;
    private boolean resumed;

    ClusterSimulation(
            ClusterStore store, EventRecorder events, RandomValues values, InstantSource clock) {
        this.store = store;
        this.values = values;
        this.clock = clock;
        pods = new PodSimulation(store, events, values, clock, queue, this::podChanged);
        deployments = new DeploymentController(store, events, values, clock, queue, pods);
        story = new Story(store, events, deployments, clock);
    }

    /** Runs one step; returns whether it wrote to etcd. */
    boolean step() {
        if (!resumed) {
            store.list(Directories.PODS).forEach(pod -> pods.resume(pod.json()));
            store.list(Directories.DEPLOYMENTS)
                    .forEach(one -> deployments.requeue(one.namespace(), one.name()));
            resumed = true;
        }
        if (story.step()) {
            return true;
        }
        boolean goOn = queue.size() >= MANY || values.below(10) < 7;
        return (goOn ? queue.next() : Optional.<WorkQueue.Step>empty())
                .orElseGet(() -> this::somethingNew)
                .run();
    }

    private boolean somethingNew() {
        int dice = values.below(100);
        if (dice < 30) {
            return advanceOneVoyage();
        }
        if (dice < 55) {
            return renewOneNode();
        }
        if (dice < 75) {
            return pods.failOne();
        }
        return dice < 90 ? pods.replaceOne() : deployments.scaleOne();
    }

    private void podChanged(ObjectNode pod) {
        deployments.requeue(
                pod.at("/metadata/namespace").asText(), pod.at("/metadata/labels/app").asText());
    }

    /** Like a kubelet: renews the lease mostly, and the status now and then. */
    private boolean renewOneNode() {
        Optional<Stored> lease = any(NODE_LEASES);
        if (lease.isEmpty()) {
            return false;
        }
        if (values.below(5) > 0) {
            ((ObjectNode) lease.get().json().get("spec"))
                    .put("renewTime", RandomValues.micros(clock.instant()));
            return store.update(lease.get());
        }
        Optional<Stored> node = store.read(Directories.key(Directories.NODES, lease.get().name()));
        if (node.isEmpty()) {
            return false;
        }
        String now = RandomValues.seconds(clock.instant());
        for (JsonNode condition : node.get().json().at("/status/conditions")) {
            ((ObjectNode) condition).put("lastHeartbeatTime", now);
        }
        return store.update(node.get());
    }

    /** Replaces an arrived voyage by a new one with another name. */
    private boolean advanceOneVoyage() {
        Optional<Stored> picked = any(Directories.VOYAGES);
        if (picked.isEmpty()) {
            return false;
        }
        Stored voyage = picked.get();
        if (!Voyages.hasArrived(voyage.json())) {
            Voyages.sail(voyage.json(), values, clock.instant());
            return store.update(voyage);
        }
        if (!store.delete(voyage)) {
            return false;
        }
        String ship = voyage.json().at("/spec/ship").asText();
        String from = voyage.json().at("/spec/to").asText();
        queue.enqueue("sail " + ship, () -> beginVoyage(voyage.namespace(), ship, from));
        return true;
    }

    private boolean beginVoyage(String namespace, String ship, String from) {
        ObjectNode next = Voyages.create(values, namespace, ship, from, clock.instant());
        return store.create(Directories.key(Directories.VOYAGES, next), next);
    }

    private Optional<Stored> any(String directory) {
        List<Bytes> keys = store.keys(directory);
        return keys.isEmpty() ? Optional.empty() : store.read(values.pick(keys));
    }
}
