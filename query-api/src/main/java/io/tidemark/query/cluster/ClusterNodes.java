package io.tidemark.query.cluster;

import io.tidemark.selfcheck.CheckReport;
import io.tidemark.view.DiskState;
import java.util.Map;
import java.util.Optional;

/** The nodes that there are. */
public interface ClusterNodes {
    /**
     * How this one stands.
     *
     * @param url for clients
     * @param watches open here
     */
    NodeStatus self(String url, int watches);

    /** What the comparison of this node's copies with etcd has come to. */
    default CheckReport selfCheck() {
        return CheckReport.OFF;
    }

    /** The disk that this node's replicas lie on. */
    default DiskState disk() {
        return DiskState.UNKNOWN;
    }

    /** Damaged places of the topic that this node has met and passed over since it was started. */
    default long corruptRanges() {
        return 0;
    }

    /**
     * What the others say of themselves, as {@link NodeStatus#toJson} wrote it, by address; empty
     * for one that does not answer within a bounded time.
     */
    Map<String, Optional<byte[]>> others() throws InterruptedException;

    /**
     * What a connector says of itself, as JSON; empty when it does not answer within a second, or
     * not with a proof that it belongs to the group.
     *
     * @param address of it, from the tide marks
     */
    default Optional<byte[]> connector(String address) throws InterruptedException {
        return Optional.empty();
    }
}
