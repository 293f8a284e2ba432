package io.tidemark.chaos.process;

/**
 * The number of processes.
 *
 * @param brokers 1, or 3 that replicate
 * @param nodes that run in the beginning; one more may be added
 * @param heap of each JVM, as in -Xmx
 * @param proxied whether there is a proxy between any two processes, so that links can be cut
 * @param clocks whether clocks are to jump
 * @param slowDisks whether the nodes' disks are to be slow at times
 * @param tree whether the connectors follow another Tidemark instead of etcd, and a second one
 *     does, too
 */
public record ClusterSize(
        int brokers,
        int connectors,
        int nodes,
        String heap,
        boolean proxied,
        boolean clocks,
        boolean slowDisks,
        boolean tree) {
    public ClusterSize {
        if (brokers != 1 && brokers != 3) {
            throw new IllegalArgumentException(brokers + " brokers: 1, or 3");
        }
        if (connectors < 1 || connectors > 5 || nodes < 1 || nodes > 9) {
            throw new IllegalArgumentException(
                    "%d connectors (1 to 5), %d nodes (1 to 9)".formatted(connectors, nodes));
        }
    }
}
