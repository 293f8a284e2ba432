package io.tidemark.query.cluster;

import io.tidemark.selfcheck.CheckReport;
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

    /** Damaged places of the topic that this node has met and passed over since it was started. */
    default long damagedPlaces() {
        return 0;
    }

    /**
     * What the others say of themselves, as {@link NodeStatus#toJson} wrote it, by address; empty
     * for one that does not answer within a bounded time.
     */
    Map<String, Optional<byte[]>> others() throws InterruptedException;
}
