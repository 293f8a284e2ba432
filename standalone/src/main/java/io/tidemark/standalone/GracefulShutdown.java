package io.tidemark.standalone;

import io.tidemark.peer.PeerNetwork;
import io.tidemark.query.QueryNode;
import io.tidemark.streams.StreamsNode;
import java.util.Optional;

/**
 * How a node ends without being missed: it takes no new connections, tells the other nodes, and
 * leaves the group, so that others take its partitions over while its own watches go on from their
 * copies and end one after the other. Where nobody else holds the partitions it leaves the group
 * last, since its watches have nowhere to read from but here.
 *
 * @param others empty for a node that keeps to itself
 */
record GracefulShutdown(QueryNode query, StreamsNode streams, Optional<PeerNetwork> others)
        implements AutoCloseable {
    @Override
    public void close() {
        query.stopAccepting();
        if (othersGoOn()) {
            Thread leaving = Thread.ofPlatform().name("leave-group").start(streams::close);
            query.close();
            join(leaving);
        } else {
            query.close();
        }
    }

    private boolean othersGoOn() {
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
