package io.tidemark.simulation;

import io.tidemark.simulation.world.FakeEtcd;
import io.tidemark.simulation.world.Scheduler;
import java.util.List;

/** What a client meets. */
record World(
        Scheduler scheduler,
        FakeEtcd etcd,
        Settings settings,
        Mutation mutation,
        Connectors connectors,
        Faults faults,
        EpochTable epochs,
        List<SimulatedNode> nodes) {}
