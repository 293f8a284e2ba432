package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultScene.Hit;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.Links;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Faults of the network: between two processes nothing goes through for a while. */
final class Cuts {
    private Cuts() {}

    static boolean arePossible(FaultScene scene) {
        return scene.cluster().links().isProxied() && scene.runningNodes().size() > 1;
    }

    static boolean leaderCanBeReplaced(FaultScene scene) {
        return arePossible(scene) && Deeds.connectorsAreEnough(scene);
    }

    static Hit nodeBroker(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        int slot = scene.cluster().nodes().indexOf(node);
        return held(scene, slot, toBrokers(scene, node));
    }

    static Hit nodeNode(FaultScene scene) throws Exception {
        List<Member> running = scene.runningNodes();
        Member one = scene.pick(running);
        Member other = scene.pick(running.stream().filter(node -> !node.equals(one)).toList());
        return held(
                scene,
                FaultScene.NO_SLOT,
                List.of(new Way(one.name(), other.name()), new Way(other.name(), one.name())));
    }

    static Hit connectorEtcd(FaultScene scene) throws Exception {
        Member leader = scene.leadingConnector();
        return held(scene, FaultScene.NO_SLOT, List.of(new Way(leader.name(), "etcd")));
    }

    static Hit connectorBroker(FaultScene scene) throws Exception {
        return held(scene, FaultScene.NO_SLOT, toBrokers(scene, scene.leadingConnector()));
    }

    private static List<Way> toBrokers(FaultScene scene, Member from) {
        return scene.cluster().brokers().stream()
                .map(broker -> new Way(from.name(), broker.name()))
                .toList();
    }

    private record Way(String from, String to) {
        @Override
        public String toString() {
            return from + " to " + to;
        }
    }

    private static Hit held(FaultScene scene, int slot, List<Way> ways)
            throws InterruptedException {
        Links links = scene.cluster().links();
        long millis = scene.holdMillis();
        ways.forEach(way -> links.cut(way.from(), way.to()));
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            ways.forEach(way -> links.heal(way.from(), way.to()));
        }
        String what = "cut %s for %d s".formatted(ways.getFirst(), millis / 1_000);
        return new Hit(what, slot, millis);
    }
}
