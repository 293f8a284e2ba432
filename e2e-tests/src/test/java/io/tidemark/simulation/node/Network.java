package io.tidemark.simulation.node;

import io.tidemark.peer.cluster.PeerReplicas;
import io.tidemark.peer.cluster.Replica;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The network between the nodes: a link for each pair and direction. */
public final class Network {
    /** A link's condition. */
    public enum Condition {
        GOOD,
        /** A node's state updates arrive late. */
        SLOW,
        /** Nothing arrives, and requests get no answer. */
        CUT
    }

    private final Scheduler scheduler;
    private final Mutation mutation;
    private final int partitions;
    private final Condition[][] conditions;
    private List<SimulatedNode> nodes = List.of();
    private boolean dropsRequests;

    public Network(Scheduler scheduler, Mutation mutation, Settings settings) {
        this.scheduler = scheduler;
        this.mutation = mutation;
        this.partitions = settings.partitions();
        this.conditions = new Condition[settings.nodes()][settings.nodes()];
        heal();
        dropsRequests = true;
    }

    public void begin(List<SimulatedNode> all) {
        nodes = all;
    }

    public void set(int from, int to, Condition condition) {
        conditions[from][to] = condition;
    }

    /** All links are good from now on, and lose nothing. */
    public void heal() {
        dropsRequests = false;
        for (Condition[] row : conditions) {
            Arrays.fill(row, Condition.GOOD);
        }
    }

    /** The other nodes, as one node sees them; each process has separate links. */
    public List<PeerReplicas> peersOf(int from) {
        List<PeerReplicas> peers = new ArrayList<>();
        for (int to = 0; to < conditions.length; to++) {
            if (to != from) {
                peers.add(new Peer(from, to));
            }
        }
        return peers;
    }

    private final class Peer implements PeerReplicas {
        private final List<SimulatedPeerReplica> copies = new ArrayList<>();

        Peer(int from, int to) {
            for (int p = 0; p < partitions; p++) {
                copies.add(
                        new SimulatedPeerReplica(
                                scheduler,
                                mutation,
                                p,
                                () -> nodes.get(to),
                                () -> conditions[from][to],
                                () -> dropsRequests && scheduler.oneIn(60)));
            }
        }

        @Override
        public Replica copy(int partition) {
            return copies.get(partition);
        }
    }
}
