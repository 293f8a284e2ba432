package io.tidemark.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Faults of etcd and of its history. */
final class EtcdFaults {
    private static final long UNREAD_MILLIS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    static final Bytes ANY_KEY = Bytes.utf8("/registry/");

    private EtcdFaults() {}

    static FaultEffect kill(FaultContext scene) throws Exception {
        return ProcessFaults.killed(scene.cluster().etcd());
    }

    /**
     * Compacts all but the newest revisions; every reader is far beyond that. Waits until there is
     * something to compact: the run may have begun just now, or another fault compacted further.
     */
    static FaultEffect compact(FaultContext scene) throws InterruptedException {
        long began = System.nanoTime();
        try (EtcdClient etcd = client(scene)) {
            while (System.nanoTime() - began < PATIENCE.toNanos()) {
                long revision = etcd.revision(ANY_KEY) - scene.keptRevisions();
                if (revision > 1 && compacts(etcd, revision)) {
                    long held = (System.nanoTime() - began) / 1_000_000;
                    return new FaultEffect("compacted at " + revision, FaultContext.NO_SLOT, held);
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        throw new IllegalStateException(
                "etcd has no more than %d revisions to keep".formatted(scene.keptRevisions()));
    }

    private static boolean compacts(EtcdClient etcd, long revision) {
        try {
            etcd.compact(revision, true);
            return true;
        } catch (EtcdException e) {
            if (e.kind() == EtcdException.Kind.COMPACTED) {
                return false;
            }
            throw e;
        }
    }

    /**
     * All connectors are killed, etcd advances and compacts these changes, and the connectors
     * restart: the changes are lost. Returns when the nodes know of the gap.
     */
    static FaultEffect compactBeyond(FaultContext scene) throws Exception {
        List<Member> connectors = scene.cluster().connectors();
        long began = System.nanoTime();
        for (Member connector : connectors) {
            connector.process().kill();
        }
        TimeUnit.MILLISECONDS.sleep(UNREAD_MILLIS);
        long revision;
        try (EtcdClient etcd = client(scene)) {
            revision = etcd.revision(ANY_KEY);
            // The run's own watch of etcd has read it by then.
            TimeUnit.MILLISECONDS.sleep(UNREAD_MILLIS);
            etcd.compact(revision, true);
        }
        long held = (System.nanoTime() - began) / 1_000_000;
        scene.horizon().beginGap();
        for (Member connector : connectors) {
            connector.process().start();
        }
        List<Long> wrong = scene.horizon().endGap(awaitFloor(scene, revision));
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("410 although above the floor: " + wrong);
        }
        return new FaultEffect("compacted beyond " + revision, FaultContext.NO_SLOT, held);
    }

    /** It ends everything that is recorded, so it comes last. */
    static FaultEffect neverInRounds(FaultContext scene) {
        throw new IllegalStateException("not possible between other faults");
    }

    private static long awaitFloor(FaultContext scene, long above) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            JsonNode document = scene.probe().document().orElse(null);
            long floor = document == null ? 0 : document.path("floor").asLong();
            if (floor >= above && gapIsKnown(document, floor)) {
                return floor;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IllegalStateException("no node knows of a gap through " + above);
    }

    /** By all partitions. */
    private static boolean gapIsKnown(JsonNode document, long floor) {
        for (JsonNode partition : document.path("partitions")) {
            if (partition.path("watermark").asLong() < floor) {
                return false;
            }
        }
        return true;
    }

    static EtcdClient client(FaultContext scene) {
        return new EtcdClient(EtcdOptions.of(scene.cluster().etcdEndpoint()));
    }
}
