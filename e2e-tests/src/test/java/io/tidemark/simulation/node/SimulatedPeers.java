package io.tidemark.simulation.node;

import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.wire.WireVersions;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One node's connections to the other nodes, and theirs to it, while its process runs. */
final class SimulatedPeers {
    private static final long LOOK_MILLIS = 200;

    private final WireVersions versions;
    private final List<SimulatedPeerLink> links = new ArrayList<>();
    private final Set<SimulatedStateStream> served = new LinkedHashSet<>();
    private final Scheduler.Handle looking;

    SimulatedPeers(Scheduler scheduler, Mutation mutation, Network network, SimulatedNode node) {
        // Each process may be of the release before.
        this.versions = scheduler.oneIn(3) ? WireVersions.through(5) : WireVersions.all();
        for (SimulatedNode other : network.nodes()) {
            if (other != node && mutation.hasPeers()) {
                links.add(
                        new SimulatedPeerLink(scheduler, mutation, network, node, other, versions));
            }
        }
        this.looking =
                scheduler.every(
                        LOOK_MILLIS,
                        LOOK_MILLIS,
                        "check links",
                        () -> {
                            if (node.isResponsive()) {
                                links.forEach(SimulatedPeerLink::checkAlive);
                            }
                        });
    }

    void start() {
        links.forEach(SimulatedPeerLink::connect);
    }

    List<PeerReplicas> replicas() {
        return links.stream().<PeerReplicas>map(SimulatedPeerLink::replicas).toList();
    }

    WireVersions versions() {
        return versions;
    }

    void serve(SimulatedStateStream stream) {
        served.add(stream);
    }

    void ended(SimulatedStateStream stream) {
        served.remove(stream);
    }

    /** The node is about to leave. */
    void leave() {
        served.forEach(SimulatedStateStream::leave);
    }

    /** The process has ended. */
    void close() {
        looking.cancel();
        links.forEach(SimulatedPeerLink::close);
        List.copyOf(served).forEach(SimulatedStateStream::breakOff);
        served.clear();
    }
}
