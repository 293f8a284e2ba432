package io.tidemark.standalone.options;

import io.tidemark.query.QueryConfig;
import io.tidemark.store.rocksdb.OpenFileLimits;

/**
 * How a node shares out the files and sockets that its process may have open.
 *
 * @param limit of the process, in descriptors
 */
public record DescriptorBudget(long limit) {
    /** With less, a node does not start. */
    public static final long MINIMUM = 1_024;

    /** With less, a node warns: it is short of files for its stores, or of connections. */
    public static final long RECOMMENDED = 8_192;

    /** What to do about a limit that is too low. */
    public static final String ADVICE =
            "raise it (ulimit -n, LimitNOFILE=, or a container's nofile)";

    private static final int LEAST_OTHERS = 256;
    private static final int MOST_OTHERS = 2_048;

    public static DescriptorBudget ofThisProcess() {
        return new DescriptorBudget(OpenFileLimits.limit());
    }

    /** For the stores' files. */
    public int stores() {
        return OpenFileLimits.ofAllStores(limit);
    }

    /**
     * For all that is neither a client's connection nor a store's file: connections to Kafka and
     * between nodes and connectors, a broker's log in {@code up}, jars, the log.
     */
    public int others() {
        return Math.clamp(limit / 4, LEAST_OTHERS, MOST_OTHERS);
    }

    /** Connections of clients that fit beside these. */
    public int mostConnections() {
        return Math.clamp(limit - stores() - others(), 1, Integer.MAX_VALUE);
    }

    /** Connections of clients, where no number is given. */
    public int connections() {
        return Math.min(mostConnections(), QueryConfig.DEFAULT_CONNECTIONS);
    }
}
