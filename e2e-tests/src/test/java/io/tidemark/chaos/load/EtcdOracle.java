package io.tidemark.chaos.load;

import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.simulation.model.ReferenceModel;

/**
 * The truth while etcd has one history: its own watch, and the model that one checker after the
 * other builds from it. It must exist before the first compaction of etcd.
 */
public final class EtcdOracle implements AutoCloseable {
    private final EtcdClient client;
    private final EtcdOracleWatch watch;
    private final ReferenceModel model = new ReferenceModel(_ -> true);

    /**
     * @param etcd its endpoint
     */
    public EtcdOracle(String etcd) {
        client = new EtcdClient(EtcdOptions.of(etcd));
        watch = new EtcdOracleWatch(client);
    }

    public EtcdOracleWatch watch() {
        return watch;
    }

    /** For one thread at a time. */
    public ReferenceModel model() {
        return model;
    }

    @Override
    public void close() throws InterruptedException {
        watch.close();
        client.close();
    }
}
