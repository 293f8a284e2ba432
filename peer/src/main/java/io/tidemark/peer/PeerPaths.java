package io.tidemark.peer;

/** The paths and size limits of a node's internal listener. */
final class PeerPaths {
    /** The version rises with each format change: nodes of two versions do not read each other. */
    private static final String ROOT = "/peer/v5";

    static final String STATES = ROOT + "/states";
    static final String NODE = ROOT + "/node";
    static final String PARTITIONS = ROOT + "/partitions/";

    /** Query parameter: the id of the states stream to carry the changes after this read. */
    static final String FOLLOWER = "follower";

    /** Selectors come from client URLs, which are shorter. */
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
