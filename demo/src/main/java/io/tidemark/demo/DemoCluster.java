package io.tidemark.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.record.Bytes;
import java.time.InstantSource;
import java.util.Map;

/**
 * An example Kubernetes cluster in an etcd: eight namespaces, five nodes, some 150 pods with
 * related objects, and a custom resource. It consists only of objects; no workload runs.
 */
public final class DemoCluster {
    /** Written last: if it exists, the cluster was loaded, and missing objects were deleted. */
    private static final Bytes LOADED = Bytes.utf8("configmaps/kube-public/demo-cluster");

    private final EtcdClient etcd;
    private final Bytes prefix;
    private final long seed;
    private final InstantSource clock;
    private final ClusterStore store;

    /**
     * @param prefix such as {@code /registry/}
     * @param seed determines names, ids and placement
     */
    public DemoCluster(EtcdClient etcd, Bytes prefix, long seed, InstantSource clock) {
        this.etcd = etcd;
        this.prefix = prefix;
        this.seed = seed;
        this.clock = clock;
        store = new ClusterStore(etcd, prefix, clock);
    }

    /**
     * Writes the cluster unless it was loaded before. Completes an interrupted load, and does not
     * overwrite existing keys.
     *
     * @return how many objects were written
     * @throws io.tidemark.etcd.connection.EtcdException when etcd refuses a write
     */
    public int load() {
        if (store.read(LOADED).isPresent()) {
            return 0;
        }
        int written = 0;
        for (Map.Entry<Bytes, ObjectNode> object :
                InitialCluster.generate(seed, clock.instant()).entrySet()) {
            if (store.create(object.getKey(), object.getValue())) {
                written++;
            }
        }
        return store.create(LOADED, marker()) ? written + 1 : written;
    }

    /**
     * Keeps changing the cluster until closed: pods fail, restart and are replaced, deployments
     * scale, nodes send heartbeats, voyages progress.
     *
     * @param changesPerSecond on average, above 0 and at most 1000
     */
    public ChangeGenerator keepChanging(double changesPerSecond) {
        // Not the seed of the initial objects, which would repeat their names.
        RandomValues values = new RandomValues(seed ^ etcd.revision(prefix) * 0x9e3779b97f4a7c15L);
        return new ChangeGenerator(
                new ClusterSimulation(
                        store, new EventRecorder(etcd, store, values, clock), values, clock),
                changesPerSecond);
    }

    private ObjectNode marker() {
        return Templates.render(
                "configmap",
                Map.of(
                        "name",
                        "demo-cluster",
                        "namespace",
                        "kube-public",
                        "uid",
                        new RandomValues(~seed).uid(),
                        "created",
                        RandomValues.seconds(clock.instant()),
                        "app",
                        "demo-cluster",
                        "text",
                        "seed=" + seed + "\n"));
    }
}
