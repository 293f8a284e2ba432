package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Clocks;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.etcd.EtcdClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The wall clock of a running process jumps, and comes back after a while. */
final class ClockFaults {
    private static final long MOST_SECONDS = Duration.ofHours(1).toSeconds();

    /** By then a process has detected that its clock was set, and nothing earlier is in flight. */
    private static final long SET_MILLIS = 5_000;

    private ClockFaults() {}

    static boolean arePossible(FaultContext scene) {
        return scene.cluster().clocks().canJump() && !scene.runningNodes().isEmpty();
    }

    static FaultEffect node(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        return jump(scene, node.name(), scene.cluster().nodes().indexOf(node));
    }

    static FaultEffect connector(FaultContext scene) throws Exception {
        Member leader = scene.leadingConnector();
        return jump(scene, leader.name(), FaultContext.NO_SLOT);
    }

    /**
     * Nodes and the cleaner judge history by the broker's clock: records from before a forward jump
     * may be removed, and so may soon those stamped while it was behind.
     */
    static FaultEffect broker(FaultContext scene) throws Exception {
        scene.horizon().beginGap();
        try {
            return jump(scene, scene.pick(scene.cluster().brokers()).name(), FaultContext.NO_SLOT);
        } finally {
            TimeUnit.MILLISECONDS.sleep(SET_MILLIS);
            // Records from now on have the right time.
            List<Long> _ = scene.horizon().endGap(newestRevision(scene));
        }
    }

    private static long newestRevision(FaultContext scene) throws Exception {
        try (EtcdClient etcd = EtcdFaults.client(scene)) {
            return etcd.revision(EtcdFaults.ANY_KEY);
        }
    }

    private static FaultEffect jump(FaultContext scene, String name, int slot) throws Exception {
        Clocks clocks = scene.cluster().clocks();
        long seconds = scene.random().nextLong(-MOST_SECONDS, MOST_SECONDS + 1);
        long millis = scene.holdMillis();
        clocks.jump(name, Duration.ofSeconds(seconds));
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            clocks.jump(name, Duration.ZERO);
        }
        return new FaultEffect(
                "clock of %s off by %+d s for %d s".formatted(name, seconds, millis / 1_000),
                slot,
                millis);
    }
}
