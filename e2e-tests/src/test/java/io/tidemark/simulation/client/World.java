package io.tidemark.simulation.client;

import io.tidemark.simulation.connector.EpochHistories;
import io.tidemark.simulation.etcd.FakeEtcd;
import io.tidemark.simulation.fault.Faults;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.model.ModelRights;
import io.tidemark.simulation.model.ModelState;
import io.tidemark.simulation.node.SimulatedNode;
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
        WatchMemory memory,
        ListMemory lists,
        ModelRights rights) {
    /** etcd's newest state. */
    ModelState newest() {
        return new ModelState(etcd.historyNumber(), etcd.revision());
    }
}
