package io.tidemark.standalone;

/** The order in which parts stop, highest first: a part stops before those it reads from. */
final class ShutdownStages {
    static final int LOCK = 0;
    static final int ETCD = 1;
    static final int BROKER = 2;

    /** The connector and the node's streams: both need the broker, but not each other. */
    static final int PIPELINE = 3;

    static final int DEMO_CLIENT = 4;
    static final int DEMO = 5;
    static final int HTTP = 6;

    private ShutdownStages() {}
}
