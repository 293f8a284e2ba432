package io.tidemark.query.cluster;

import io.tidemark.selfcheck.CheckReport;
import io.tidemark.view.DiskState;
import io.tidemark.view.StoreUsage;
import java.util.Map;
import java.util.Optional;

/** The status of this node, its peers and the connectors. */
public interface ClusterNodes {
    /**
     * The status of this node.
     *
     * @param url for clients
     * @param number of watches open here
     */
    NodeStatus self(String url, int watches);

    /** The result of comparing this node's replicas with etcd. */
    default CheckReport selfCheck() {
        return CheckReport.OFF;
    }

    /** The disk of this node's replicas. */
    default DiskState disk() {
        return DiskState.UNKNOWN;
    }

    /** The memory and the files of this node's stores. */
    default StoreUsage storeUsage() {
        return StoreUsage.NONE;
    }

    /** Number of corrupt ranges of the topic that this node has skipped since its start. */
    default long corruptRanges() {
        return 0;
    }

    /**
     * The status of each peer by address, as {@link NodeStatus#toJson} wrote it; empty for one that
     * does not answer within a bounded time.
     */
    Map<String, Optional<byte[]>> others() throws InterruptedException;

    /** This node's connections to its peers, by address. */
    default Map<String, NodeConnection> connections() {
        return Map.of();
    }

    /**
     * A connector's status as JSON; empty when it does not answer within a second or cannot prove
     * that it belongs to the group.
     *
     * @param its address, from the tide marks
     */
    default Optional<byte[]> connector(String address) throws InterruptedException {
        return Optional.empty();
    }
}
