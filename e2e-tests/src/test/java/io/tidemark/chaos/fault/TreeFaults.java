package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.Tree;

/** Faults of the Tidemark that the cluster's connectors follow. */
final class TreeFaults {
    private TreeFaults() {}

    static boolean isTree(FaultContext scene) {
        return scene.cluster().tree().isPresent();
    }

    private static Tree tree(FaultContext scene) {
        return scene.cluster().tree().orElseThrow();
    }

    static FaultEffect killNode(FaultContext scene) throws Exception {
        return ProcessFaults.killed(scene.pick(tree(scene).rootNodes()).process());
    }

    static FaultEffect killConnector(FaultContext scene) throws Exception {
        return ProcessFaults.killed(scene.pick(tree(scene).rootConnectors()).process());
    }

    static FaultEffect pauseNode(FaultContext scene) throws Exception {
        return ProcessFaults.held(
                scene, scene.pick(tree(scene).rootNodes()).process(), FaultContext.NO_SLOT);
    }

    /** Everything at the root is new, but for what the topic has. */
    static FaultEffect rebuildNode(FaultContext scene) throws Exception {
        Member node = scene.pick(tree(scene).rootNodes());
        node.process().kill();
        node.process().wipe();
        return ProcessFaults.started(node.process());
    }
}
