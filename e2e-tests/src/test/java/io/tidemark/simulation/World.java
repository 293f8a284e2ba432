package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Scheduler;
import java.util.List;

/** What a client interacts with. */
record World(
        Scheduler scheduler,
        FakeEtcd etcd,
        Settings settings,
        Mutation mutation,
        SimulatedConnectorGroup connectors,
        Faults faults,
        EpochHistories epochs,
        List<SimulatedNode> nodes) {}
