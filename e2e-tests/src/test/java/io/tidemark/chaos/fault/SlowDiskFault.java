package io.tidemark.chaos.fault;

import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The disk of a running node is slow for a while: each read, write and sync waits. */
final class SlowDiskFault {
    private static final int LEAST_MILLIS = 20;
    private static final int MOST_MILLIS = 2_000;

    private SlowDiskFault() {}

    static boolean arePossible(FaultContext scene) {
        return scene.cluster().canSlowDisks() && ProcessFaults.nodesAreEnough(scene);
    }

    static FaultEffect slow(FaultContext scene) throws Exception {
        Member node = scene.pick(scene.runningNodes());
        int each = scene.random().nextInt(LEAST_MILLIS, MOST_MILLIS + 1);
        long held = scene.holdMillis();
        scene.cluster().slowDisk(node, Duration.ofMillis(each));
        try {
            TimeUnit.MILLISECONDS.sleep(held);
        } finally {
            scene.cluster().slowDisk(node, Duration.ZERO);
        }
        return new FaultEffect(
                "each access to the disk of %s takes %d ms longer for %d s"
                        .formatted(node, each, held / 1_000),
                scene.cluster().nodes().indexOf(node),
                held);
    }
}
