package io.tidemark.peer;

/** Where a node's internal listener offers what, and how large it may be. */
final class PeerPaths {
    /** Rises when the bytes mean something else: nodes of two versions do not read each other. */
    private static final String ROOT = "/peer/v5";

    static final String STATES = ROOT + "/states";
    static final String NODE = ROOT + "/node";
    static final String PARTITIONS = ROOT + "/partitions/";

    /** Parameter: whose states stream is to tell what comes after what was asked for. */
    static final String FOLLOWER = "follower";

    /** Selectors come from the URLs of clients, which are shorter. */
    static final int MAX_QUESTION_BYTES = 1 << 20;

    /** A page ends at a few MiB, with its last object or both sides of its last change. */
    static final long MAX_ANSWER_BYTES = 64L << 20;

    static final long MAX_NODE_BYTES = 1 << 20;
    static final int MAX_FRAME_BYTES = 4 << 20;

    private PeerPaths() {}

    static String partition(int partition) {
        return PARTITIONS + partition;
    }
}
