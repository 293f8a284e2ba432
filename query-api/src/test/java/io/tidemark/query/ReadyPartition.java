package io.tidemark.query;

import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.FixedCatalog;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.testing.LonePartition;
import io.tidemark.view.PartitionState;

/**
 * The only partition of a node, ready from revision 100 to {@link #REVISION}, where etcd is too.
 */
abstract class ReadyPartition extends LonePartition {
    static final long REVISION = 102;

    @Override
    public PartitionState state() {
        return new PartitionState(
                true, 1, 1, 100, REVISION, REVISION, 0, 0, 0, "http://connector.test");
    }

    /** A node that reads it; not started. */
    QueryNode node() {
        return new QueryNode(
                QueryConfig.listeningOn("127.0.0.1", 0),
                this,
                _ -> new Barrier(1, REVISION),
                () -> FixedCatalog.of(BuiltInResources.under(QueryConfig.DEFAULT_PREFIX)));
    }
}
