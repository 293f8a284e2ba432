package io.tidemark.standalone.process;

import io.tidemark.peer.PeerNetwork;
import io.tidemark.query.QueryNode;
import io.tidemark.streams.StreamsNode;
import java.util.Optional;

/**
 * A node's graceful shutdown. The node stops accepting connections, announces its leave to the
 * other nodes, and leaves the group: others take over its partitions, and its own watches read from
 * their replicas while they drain. If no other node can serve the partitions, it leaves the group
 * last, since its watches can only read from its own replicas.
 *
 * @param others empty without a peer listener
 */
public record GracefulShutdown(QueryNode query, StreamsNode streams, Optional<PeerNetwork> others)
        implements AutoCloseable {
    @Override
    public void close() {
        query.stopAccepting();
        if (othersTakeOver()) {
            Thread leaving = Thread.ofPlatform().name("leave-group").start(streams::close);
            query.close();
            join(leaving);
        } else {
            query.close();
        }
    }

    private boolean othersTakeOver() {
        try {
            return others.isPresent() && others.get().leave();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void join(Thread leaving) {
        try {
            leaving.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
