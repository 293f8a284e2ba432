package io.tidemark.streams.replica;

import io.tidemark.selfcheck.OpenReplicas;
import io.tidemark.store.PartitionStore;
import io.tidemark.view.PartitionState;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.util.List;

/** An open store, as the self-check sees it. */
record StoreReplica(int partition, PartitionStore store, OpenPartitions.Rebuild rebuild)
        implements OpenReplicas.OpenReplica {
    @Override
    public PartitionState state() {
        return store.state();
    }

    @Override
    public String fault() {
        return store.fault();
    }

    @Override
    public ReadOutcome<KeysPage> keys(KeysRequest request) {
        return store.keys(request);
    }

    @Override
    public List<Projection> forms() {
        return store.forms();
    }

    @Override
    public boolean rebuild(String why) {
        return rebuild.of(store, why);
    }

    @Override
    public boolean isSameAs(OpenReplicas.OpenReplica other) {
        return other instanceof StoreReplica that && that.store == store;
    }
}
