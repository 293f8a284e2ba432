package io.tidemark.standalone.options;

import io.tidemark.query.QueryConfig;
import io.tidemark.store.rocksdb.OpenFileLimits;

/**
 * Divides the process's file descriptors among stores, client connections and the rest.
 *
 * @param limit of the process, in descriptors
 */
public record DescriptorBudget(long limit) {
    /** Below this limit a node does not start. */
    public static final long MINIMUM = 1_024;

    /** Below this limit a node warns: too few files for its stores, or too few connections. */
    public static final long RECOMMENDED = 8_192;

    /** How to raise a limit that is too low. */
    public static final String ADVICE =
            "raise it (ulimit -n, LimitNOFILE=, or a container's nofile)";

    private static final int LEAST_OTHERS = 256;
    private static final int MOST_OTHERS = 2_048;

    /** By the limit of this process. */
    public static DescriptorBudget ofThisProcess() {
        return new DescriptorBudget(OpenFileLimits.limit());
    }

    /** Descriptors for the stores' files. */
    public int stores() {
        return OpenFileLimits.ofAllStores(limit);
    }

    /**
     * Descriptors for the rest: connections to Kafka and between nodes and connectors, the log
     * segments of a broker in {@code up}, jars, the log.
     */
    public int others() {
        return Math.clamp(limit / 4, LEAST_OTHERS, MOST_OTHERS);
    }

    /** Upper bound of {@code --max-connections}. */
    int mostConnections() {
        return Math.clamp(limit - stores() - others(), 1, Integer.MAX_VALUE);
    }

    /** Default of {@code --max-connections}. */
    public int connections() {
        return Math.min(mostConnections(), QueryConfig.DEFAULT_CONNECTIONS);
    }
}
