package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultScene.Hit;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.ManagedProcess;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How each fault is done, and when it can be. */
final class Deeds {
    /** A node ends its watches spread over seconds, then leaves; what lasts longer is a fault. */
    private static final Duration STOP = Duration.ofSeconds(30);

    private static final Duration RESTART = Duration.ofMinutes(3);

    private Deeds() {}

    static boolean nodesAreEnough(FaultScene scene) {
        return scene.runningNodes().size() >= Math.max(2, scene.nodesWanted());
    }

    static boolean nodesAreMissing(FaultScene scene) {
        return scene.runningNodes().size() < scene.nodesWanted();
    }

    static boolean oneMoreFits(FaultScene scene) {
        return scene.runningNodes().size() == scene.nodesWanted() && !scene.endedNodes().isEmpty();
    }

    static boolean connectorsAreEnough(FaultScene scene) {
        return scene.cluster().connectors().size() > 1 && !connectorIsMissing(scene);
    }

    static boolean connectorIsMissing(FaultScene scene) {
        return scene.cluster().connectors().stream()
                .anyMatch(connector -> !connector.process().isAlive());
    }

    static Hit killNode(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        Hit hit = scene.hit("killed", node);
        node.process().kill();
        return hit;
    }

    static Hit stopNode(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        boolean inTime = node.process().stop(STOP);
        return scene.hit(inTime ? "stopped" : "had to kill", node);
    }

    static Hit startEmptyNode(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.endedNodes());
        node.process().wipe();
        node.process().start();
        return new Hit("started empty " + node, FaultScene.NO_SLOT);
    }

    static Hit killLeadingConnector(FaultScene scene) throws Exception {
        Member leader = scene.leadingConnector();
        leader.process().kill();
        return new Hit("killed " + leader, FaultScene.NO_SLOT);
    }

    static Hit startConnector(FaultScene scene) throws Exception {
        Member connector =
                scene.cluster().connectors().stream()
                        .filter(each -> !each.process().isAlive())
                        .findFirst()
                        .orElseThrow();
        connector.process().start();
        return new Hit("started " + connector, FaultScene.NO_SLOT);
    }

    static Hit pauseNode(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        return held(scene, node.process(), scene.cluster().nodes().indexOf(node));
    }

    /** Paused, replaced by another, and back in the belief that it still leads. */
    static Hit pauseLeadingConnector(FaultScene scene) throws Exception {
        Member leader = scene.leadingConnector();
        return held(scene, leader.process(), FaultScene.NO_SLOT);
    }

    static Hit pauseBroker(FaultScene scene) throws Exception {
        return held(scene, scene.pick(scene.cluster().brokers()), FaultScene.NO_SLOT);
    }

    static Hit pauseEtcd(FaultScene scene) throws Exception {
        return held(scene, scene.cluster().etcd(), FaultScene.NO_SLOT);
    }

    private static Hit held(FaultScene scene, ManagedProcess process, int slot) throws Exception {
        long millis = scene.holdMillis();
        process.pause();
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            process.resume();
        }
        return new Hit(
                "paused %s for %d s".formatted(process.name(), millis / 1_000), slot, millis);
    }

    static Hit killBroker(FaultScene scene) throws Exception {
        return killed(scene.pick(scene.cluster().brokers()));
    }

    static Hit killed(ManagedProcess process) throws Exception {
        process.kill();
        process.start();
        process.awaitReady(RESTART);
        return new Hit("killed " + process.name(), FaultScene.NO_SLOT);
    }
}
