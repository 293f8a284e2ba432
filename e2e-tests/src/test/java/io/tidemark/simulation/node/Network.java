package io.tidemark.simulation.node;

import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.Arrays;
import java.util.List;

/** The network between the nodes: a link for each pair and direction. */
public final class Network {
    /** A link's condition. */
    public enum Condition {
        GOOD,
        /** What a node sends arrives late. */
        SLOW,
        /** Nothing arrives, and requests get no answer. */
        CUT
    }

    private final Scheduler scheduler;
    private final Condition[][] conditions;
    private List<SimulatedNode> nodes = List.of();
    private boolean dropsRequests;

    public Network(Scheduler scheduler, Settings settings) {
        this.scheduler = scheduler;
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

    List<SimulatedNode> nodes() {
        return nodes;
    }

    /** Whether nothing passes between a node and one whose replicas it reads. */
    boolean isCut(int reader, int read) {
        return conditions[reader][read] == Condition.CUT;
    }

    /** How long a message takes. */
    long delayMillis(int reader, int read) {
        return conditions[reader][read] == Condition.SLOW
                ? scheduler.between(100, 1_500)
                : scheduler.between(1, 12);
    }

    /** Whether a request over a link that is not cut gets no answer nevertheless. */
    boolean losesRequest() {
        return dropsRequests && scheduler.oneIn(60);
    }
}
