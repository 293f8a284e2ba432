package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeTopic;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.view.PartitionDirectory;
import io.tidemark.view.PartitionView;
import java.util.List;
import java.util.stream.IntStream;

/** A node that holds a copy of every partition; some nodes lag more than others, as standbys do. */
final class SimulatedNode implements PartitionDirectory {
    private final List<SimulatedReplica> replicas;
    private final Mutation mutation;
    private boolean up;
    private NodeApi api;

    SimulatedNode(
            int number,
            Scheduler scheduler,
            Settings settings,
            Mutation mutation,
            FakeTopic topic) {
        this.mutation = mutation;
        this.replicas =
                IntStream.range(0, settings.partitions())
                        .mapToObj(partition ->
                                new SimulatedReplica(
                                        scheduler,
                                        settings,
                                        mutation,
                                        number,
                                        partition,
                                        topic.partitions().get(partition)))
                        .toList();
        long lag = number == 0 ? 10 : 120;
        for (SimulatedReplica replica : replicas) {
            var unused = scheduler.every(1, lag, "poll", replica::poll);
            var unusedToo = scheduler.every(200, 3_000, "flush", replica::flush);
        }
        this.api = new NodeApi(this, mutation);
        var unused = scheduler.every(1, 30, "dispatch", () -> api.dispatch());
    }

    void start() {
        replicas.forEach(SimulatedReplica::open);
        api = new NodeApi(this, mutation);
        up = true;
    }

    /** Of the process that runs now. */
    NodeApi api() {
        return api;
    }

    boolean isUp() {
        return up;
    }

    void crash() {
        up = false;
        replicas.forEach(SimulatedReplica::crash);
    }

    void wipe() {
        up = false;
        replicas.forEach(SimulatedReplica::wipe);
    }

    SimulatedReplica replica(int partition) {
        return replicas.get(partition);
    }

    @Override
    public int partitions() {
        return replicas.size();
    }

    @Override
    public PartitionView view(int partition) {
        PartitionView view = replicas.get(partition).view();
        return view == null ? new AbsentView(partition) : view;
    }
}
