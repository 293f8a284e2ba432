package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.chaos.process.Links;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Faults of the network: between two processes nothing passes for a while. */
final class NetworkFaults {
    private NetworkFaults() {}

    static boolean arePossible(FaultContext scene) {
        return scene.cluster().links().isProxied() && scene.runningNodes().size() > 1;
    }

    static boolean leaderCanBeReplaced(FaultContext scene) {
        return arePossible(scene) && ProcessFaults.connectorsAreEnough(scene);
    }

    static FaultEffect nodeBroker(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        int slot = scene.cluster().nodes().indexOf(node);
        return held(scene, slot, toBrokers(scene, node));
    }

    static FaultEffect nodeNode(FaultContext scene) throws Exception {
        List<Member> running = scene.runningNodes();
        Member one = scene.pick(running);
        Member other = scene.pick(running.stream().filter(node -> !node.equals(one)).toList());
        return held(
                scene,
                FaultContext.NO_SLOT,
                List.of(new Link(one.name(), other.name()), new Link(other.name(), one.name())));
    }

    static FaultEffect connectorEtcd(FaultContext scene) throws Exception {
        Member leader = scene.leadingConnector();
        return held(scene, FaultContext.NO_SLOT, List.of(new Link(leader.name(), "etcd")));
    }

    static FaultEffect connectorBroker(FaultContext scene) throws Exception {
        return held(scene, FaultContext.NO_SLOT, toBrokers(scene, scene.leadingConnector()));
    }

    private static List<Link> toBrokers(FaultContext scene, Member from) {
        return scene.cluster().brokers().stream()
                .map(broker -> new Link(from.name(), broker.name()))
                .toList();
    }

    private record Link(String from, String to) {
        @Override
        public String toString() {
            return from + " to " + to;
        }
    }

    private static FaultEffect held(FaultContext scene, int slot, List<Link> cutLinks)
            throws InterruptedException {
        Links links = scene.cluster().links();
        long millis = scene.holdMillis();
        cutLinks.forEach(link -> links.cut(link.from(), link.to()));
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            cutLinks.forEach(link -> links.heal(link.from(), link.to()));
        }
        String what = "cut %s for %d s".formatted(cutLinks.getFirst(), millis / 1_000);
        return new FaultEffect(what, slot, millis);
    }
}
