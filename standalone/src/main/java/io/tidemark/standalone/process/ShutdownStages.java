package io.tidemark.standalone.process;

/** The order in which parts stop, highest first: a part stops before those it reads from. */
public final class ShutdownStages {
    static final int LOCK = 0;
    public static final int ETCD = 1;
    public static final int BROKER = 2;

    /** The connector and the node's streams: both need the broker, but not each other. */
    public static final int PIPELINE = 3;

    public static final int DEMO_CLIENT = 4;
    public static final int DEMO = 5;
    public static final int HTTP = 6;

    private ShutdownStages() {}
}
