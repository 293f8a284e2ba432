package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.demo.ClusterStore.Stored;
import io.tidemark.demo.EventRecorder.Report;
import io.tidemark.record.Bytes;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Scheduler and kubelet of the example cluster: moves pods from one state to the next. */
final class PodSimulation {
    private final ClusterStore store;
    private final EventRecorder events;
    private final RandomValues values;
    private final InstantSource clock;
    private final WorkQueue queue;
    private final Consumer<ObjectNode> podChanged;

    /**
     * @param podChanged receives every changed pod, so that its controller can reconcile
     */
    PodSimulation(
            ClusterStore store,
            EventRecorder events,
            RandomValues values,
            InstantSource clock,
            WorkQueue queue,
            Consumer<ObjectNode> podChanged) {
        this.store = store;
        this.events = events;
        this.values = values;
        this.clock = clock;
        this.queue = queue;
        this.podChanged = podChanged;
    }

    /** Kills the container of a random ready pod; it restarts later. */
    boolean failOne() {
        Optional<Stored> pod = anyReady();
        if (pod.isEmpty()) {
            return false;
        }
        Pods.fail(pod.get().json(), clock.instant());
        return changed(pod.get(), Report.warning("BackOff", "container was killed", "kubelet"));
    }

    /** Deletes a random ready pod; its controller replaces it. */
    boolean replaceOne() {
        return anyReady().map(this::terminate).orElse(false);
    }

    boolean terminate(Stored pod) {
        Pods.terminate(pod.json(), clock.instant());
        return changed(pod, Report.normal("Killing", "Stopping container", "kubelet"));
    }

    /** Queues this pod's next step. */
    void resume(ObjectNode pod) {
        Bytes key = Directories.key(Directories.PODS, pod);
        if (Pods.isTerminating(pod)) {
            queue.enqueue("remove " + key, () -> remove(key));
        } else if (!Pods.isScheduled(pod)) {
            queue.enqueue("schedule " + key, () -> schedule(key));
        } else if (!Pods.isStarted(pod)) {
            queue.enqueue("start " + key, () -> start(key));
        } else if (!Pods.isReady(pod)) {
            queue.enqueue("restart " + key, () -> restart(key));
        }
    }

    private boolean schedule(Bytes key) {
        Optional<Stored> pod = store.read(key).filter(one -> !Pods.isScheduled(one.json()));
        List<Stored> workers =
                store.list(Directories.NODES).stream()
                        .filter(node -> !isControlPlane(node.json()))
                        .toList();
        if (pod.isEmpty() || workers.isEmpty()) {
            return false;
        }
        String node = values.pick(workers).name();
        Pods.schedule(pod.get().json(), node, clock.instant());
        String message = "Successfully assigned to " + node;
        return changed(pod.get(), Report.normal("Scheduled", message, "default-scheduler"));
    }

    private boolean start(Bytes key) {
        Optional<Stored> pod = store.read(key).filter(one -> !Pods.isStarted(one.json()));
        if (pod.isEmpty() || Pods.isTerminating(pod.get().json())) {
            return false;
        }
        ObjectNode json = pod.get().json();
        String owner = json.at("/metadata/ownerReferences/0/name").asText();
        Optional<Stored> replicaSet =
                store.read(Directories.key(Directories.REPLICA_SETS, pod.get().namespace(), owner));
        Optional<Stored> node =
                store.read(Directories.key(Directories.NODES, json.at("/spec/nodeName").asText()));
        if (replicaSet.isEmpty() || node.isEmpty()) {
            return false;
        }
        String hostIp = node.get().json().at("/status/addresses/0/address").asText();
        String podIp = freeAddress(node.get().json().at("/spec/podCIDR").asText());
        Pods.start(
                json,
                Pods.running(replicaSet.get().json(), values, clock.instant(), hostIp, podIp));
        return changed(pod.get(), Report.normal("Started", "Started container", "kubelet"));
    }

    private boolean restart(Bytes key) {
        Optional<Stored> pod =
                store.read(key)
                        .filter(one -> Pods.isStarted(one.json()) && !Pods.isReady(one.json()));
        if (pod.isEmpty() || Pods.isTerminating(pod.get().json())) {
            return false;
        }
        Pods.restart(pod.get().json(), clock.instant());
        return changed(pod.get(), Report.normal("Started", "Started container", "kubelet"));
    }

    private boolean remove(Bytes key) {
        Optional<Stored> pod = store.read(key).filter(one -> Pods.isTerminating(one.json()));
        if (pod.isEmpty() || !store.delete(pod.get())) {
            return false;
        }
        podChanged.accept(pod.get().json());
        return true;
    }

    private boolean changed(Stored pod, Report report) {
        if (!store.update(pod)) {
            return false;
        }
        resume(pod.json());
        podChanged.accept(pod.json());
        String about = report.reason() + " " + pod.key();
        queue.enqueue(about, () -> events.write(pod.json(), report));
        return true;
    }

    private Optional<Stored> anyReady() {
        List<Bytes> keys = store.keys(Directories.PODS);
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        return store.read(values.pick(keys))
                .filter(pod -> Pods.isReady(pod.json()) && !Pods.isTerminating(pod.json()));
    }

    /** An unused address of a /24; the first one if all are used. */
    private String freeAddress(String cidr) {
        String network = cidr.substring(0, cidr.lastIndexOf('.') + 1);
        Set<String> taken = new HashSet<>();
        store.list(Directories.PODS)
                .forEach(pod -> taken.add(pod.json().at("/status/podIP").asText()));
        int first = values.below(252);
        for (int i = 0; i < 252; i++) {
            String address = network + (2 + (first + i) % 252);
            if (!taken.contains(address)) {
                return address;
            }
        }
        return network + 2;
    }

    private static boolean isControlPlane(ObjectNode node) {
        return node.at("/metadata/labels").has("node-role.kubernetes.io/control-plane");
    }
}
