package io.tidemark.simulation.client;

import io.tidemark.simulation.cluster.EpochHistories;
import io.tidemark.simulation.cluster.Faults;
import io.tidemark.simulation.cluster.Mutation;
import io.tidemark.simulation.cluster.SimulatedNode;
import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import java.util.List;

/** What a client interacts with. */
public record World(
        Scheduler scheduler,
        FakeEtcd etcd,
        Settings settings,
        Mutation mutation,
        Faults faults,
        EpochHistories epochs,
        List<SimulatedNode> nodes,
        WatchMemory memory) {}
