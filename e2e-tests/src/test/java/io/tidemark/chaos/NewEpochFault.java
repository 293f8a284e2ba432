package io.tidemark.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.client.Availability;
import io.tidemark.chaos.client.NodeTable;
import io.tidemark.chaos.client.RetentionHorizon;
import io.tidemark.chaos.client.WatchClient;
import io.tidemark.chaos.fault.ClusterProbe;
import io.tidemark.chaos.fault.FaultKind;
import io.tidemark.chaos.fault.FaultResult;
import io.tidemark.chaos.load.AcknowledgedWrites;
import io.tidemark.chaos.process.Cluster;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A fault that begins a new epoch: every watcher must get a 410. */
final class NewEpochFault {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** What begins it. */
    interface Cause {
        FaultKind kind();

        /** Does it, and describes it. */
        String happens() throws Exception;
    }

    private final ChaosOptions options;
    private final ClusterProbe probe;
    private final NodeTable nodes;

    NewEpochFault(ChaosOptions options, Cluster cluster, NodeTable nodes) {
        this.options = options;
        this.probe = new ClusterProbe(cluster);
        this.nodes = nodes;
    }

    /**
     * Does it while separate watchers watch.
     *
     * @param last the newest revision of etcd so far
     * @param atSeconds since the run began
     */
    FaultResult by(Cause cause, SplittableRandom random, long last, long atSeconds)
            throws Exception {
        AcknowledgedWrites nothing = new AcknowledgedWrites();
        WatcherFleet witnesses =
                new WatcherFleet(
                        options, nothing, new RetentionHorizon(nothing, options.history()));
        witnesses.begin(nodes, random, last);
        try {
            await(() -> witnesses.all().stream().allMatch(WatchClient::isOnAssignedNode));
            long epoch = number("epoch");
            String what = cause.happens();
            long began = System.nanoTime();
            boolean notified =
                    await(() -> witnesses.all().stream().allMatch(NewEpochFault::sawNewEpoch));
            long toldMillis = (System.nanoTime() - began) / 1_000_000;
            boolean begun = await(() -> number("epoch") > epoch && number("floor") > 0);
            return new FaultResult(
                    cause.kind(),
                    what,
                    atSeconds,
                    0,
                    0,
                    toldMillis,
                    (System.nanoTime() - began) / 1_000_000,
                    new Availability.Counts(0, 0, 0),
                    !notified ? "some watches continue" : begun ? "" : "no new epoch");
        } finally {
            witnesses.close();
        }
    }

    private static boolean sawNewEpoch(WatchClient witness) {
        return witness.unexpectedExpirations() + witness.expectedExpirations() > 0;
    }

    /** Where the nodes' history begins now. */
    long floor() {
        return number("floor");
    }

    private long number(String name) {
        try {
            JsonNode document = probe.document().orElse(null);
            return document == null ? 0 : document.path(name).asLong();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return true;
    }
}
