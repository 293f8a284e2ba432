package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How each process fault is done, and when it is possible. */
final class ProcessFaults {
    /**
     * A node ends its watches spread over seconds, then leaves; more time than this is an error.
     */
    private static final Duration STOP = Duration.ofSeconds(30);

    private static final Duration RESTART = Duration.ofMinutes(3);

    private ProcessFaults() {}

    static boolean nodesAreEnough(FaultContext scene) {
        return scene.runningNodes().size() >= Math.max(2, scene.desiredNodes());
    }

    static boolean nodesAreMissing(FaultContext scene) {
        return scene.runningNodes().size() < scene.desiredNodes();
    }

    static boolean oneMoreFits(FaultContext scene) {
        return scene.runningNodes().size() == scene.desiredNodes() && !scene.endedNodes().isEmpty();
    }

    static boolean connectorsAreEnough(FaultContext scene) {
        return scene.cluster().connectors().size() > 1 && !connectorIsMissing(scene);
    }

    static boolean connectorIsMissing(FaultContext scene) {
        return scene.cluster().connectors().stream()
                .anyMatch(connector -> !connector.process().isAlive());
    }

    static FaultEffect killNode(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        FaultEffect hit = scene.hit("killed", node);
        node.process().kill();
        return hit;
    }

    static FaultEffect stopNode(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        boolean inTime = node.process().stop(STOP);
        return scene.hit(inTime ? "stopped" : "had to kill", node);
    }

    static FaultEffect startEmptyNode(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.endedNodes());
        node.process().wipe();
        node.process().start();
        return new FaultEffect("started empty " + node, FaultContext.NO_SLOT);
    }

    static FaultEffect killLeadingConnector(FaultContext scene) throws Exception {
        Member leader = scene.leadingConnector();
        leader.process().kill();
        return new FaultEffect("killed " + leader, FaultContext.NO_SLOT);
    }

    static FaultEffect startConnector(FaultContext scene) throws Exception {
        Member connector =
                scene.cluster().connectors().stream()
                        .filter(each -> !each.process().isAlive())
                        .findFirst()
                        .orElseThrow();
        connector.process().start();
        return new FaultEffect("started " + connector, FaultContext.NO_SLOT);
    }

    static FaultEffect pauseNode(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        return held(scene, node.process(), scene.cluster().nodes().indexOf(node));
    }

    /** Paused, replaced by another, and back without knowing that it no longer leads. */
    static FaultEffect pauseLeadingConnector(FaultContext scene) throws Exception {
        Member leader = scene.leadingConnector();
        return held(scene, leader.process(), FaultContext.NO_SLOT);
    }

    static FaultEffect pauseBroker(FaultContext scene) throws Exception {
        return held(scene, scene.pick(scene.cluster().brokers()), FaultContext.NO_SLOT);
    }

    static FaultEffect pauseEtcd(FaultContext scene) throws Exception {
        return held(scene, scene.cluster().etcd(), FaultContext.NO_SLOT);
    }

    static FaultEffect held(FaultContext scene, ManagedProcess process, int slot) throws Exception {
        long millis = scene.holdMillis();
        process.pause();
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            process.resume();
        }
        return new FaultEffect(
                "paused %s for %d s".formatted(process.name(), millis / 1_000), slot, millis);
    }

    static FaultEffect killBroker(FaultContext scene) throws Exception {
        return killed(scene.pick(scene.cluster().brokers()));
    }

    static FaultEffect killed(ManagedProcess process) throws Exception {
        process.kill();
        return started(process);
    }

    /** Starts again what was killed. */
    static FaultEffect started(ManagedProcess process) throws Exception {
        process.start();
        process.awaitReady(RESTART);
        return new FaultEffect("killed " + process.name(), FaultContext.NO_SLOT);
    }
}
