package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultScene.Hit;
import io.tidemark.chaos.process.Clocks;
import io.tidemark.chaos.process.Cluster.Member;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The wall clock of a process jumps while it runs, and comes back after a while. */
final class ClockJumps {
    private static final long MOST_SECONDS = Duration.ofHours(1).toSeconds();

    private ClockJumps() {}

    static boolean arePossible(FaultScene scene) {
        return scene.cluster().clocks().canJump() && !scene.runningNodes().isEmpty();
    }

    static Hit node(FaultScene scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        return jump(scene, node.name(), scene.cluster().nodes().indexOf(node));
    }

    static Hit connector(FaultScene scene) throws Exception {
        List<Member> connectors = scene.cluster().connectors();
        Member leader = scene.probe().leader().orElseGet(() -> scene.pick(connectors));
        return jump(scene, leader.name(), FaultScene.NO_SLOT);
    }

    static Hit broker(FaultScene scene) throws Exception {
        return jump(scene, scene.cluster().broker().name(), FaultScene.NO_SLOT);
    }

    private static Hit jump(FaultScene scene, String name, int slot) throws Exception {
        Clocks clocks = scene.cluster().clocks();
        long seconds = scene.random().nextLong(-MOST_SECONDS, MOST_SECONDS + 1);
        long millis = scene.holdMillis();
        clocks.jump(name, Duration.ofSeconds(seconds));
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            clocks.jump(name, Duration.ZERO);
        }
        return new Hit(
                "clock of %s off by %+d s for %d s".formatted(name, seconds, millis / 1_000),
                slot,
                millis);
    }
}
