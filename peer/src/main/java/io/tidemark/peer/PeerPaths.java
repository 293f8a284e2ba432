package io.tidemark.peer;

import io.tidemark.peer.wire.WireVersion;

/**
 * The paths of a node's internal listener in one version of the wire format, and the size limits.
 *
 * @param version in the paths, so that each request names the version of its bytes
 */
record PeerPaths(WireVersion version) {
    /** Names the versions that a node speaks; in no version itself. */
    static final String VERSIONS = "/peer/versions";

    /** Query parameter: the id of the states stream to carry the changes after this read. */
    static final String FOLLOWER = "follower";

    /** Selectors come from client URLs, which are shorter. */
    static final int MAX_QUESTION_BYTES = 1 << 20;

    static final long MAX_NODE_BYTES = 1 << 20;
    static final int MAX_FRAME_BYTES = 4 << 20;
    static final int MAX_VERSIONS_BYTES = 1 << 10;

    private String root() {
        return "/peer/v" + version.number();
    }

    String states() {
        return root() + "/states";
    }

    String node() {
        return root() + "/node";
    }

    String partitions() {
        return root() + "/partitions/";
    }

    String partition(int partition) {
        return partitions() + partition;
    }
}
