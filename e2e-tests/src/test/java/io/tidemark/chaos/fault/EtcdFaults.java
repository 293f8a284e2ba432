package io.tidemark.chaos.fault;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.fault.FaultContext.FaultEffect;
import io.tidemark.chaos.process.Cluster.Member;
import io.tidemark.etcd.EtcdClient;
import io.tidemark.etcd.EtcdException;
import io.tidemark.etcd.EtcdOptions;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What can happen to etcd and to its history. */
final class EtcdFaults {
    private static final long KEPT_REVISIONS = 1_000;
    private static final long UNREAD_MILLIS = 3_000;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Bytes ANY_KEY = Bytes.utf8("/registry/");

    private EtcdFaults() {}

    static FaultEffect kill(FaultContext scene) throws Exception {
        return ProcessFaults.killed(scene.cluster().etcd());
    }

    /** Forgets all but the newest revisions; everybody is far beyond that. */
    static FaultEffect compact(FaultContext scene) {
        try (EtcdClient etcd = client(scene)) {
            long revision = Math.max(1, etcd.revision(ANY_KEY) - KEPT_REVISIONS);
            try {
                etcd.compact(revision, true);
            } catch (EtcdException e) {
                if (e.kind() != EtcdException.Kind.COMPACTED) {
                    throw e;
                }
                // A fault before this one went further.
                return new FaultEffect(
                        "compacted beyond " + revision + " before", FaultContext.NO_SLOT);
            }
            return new FaultEffect("compacted at " + revision, FaultContext.NO_SLOT);
        }
    }

    /**
     * All connectors are killed, etcd goes on and forgets what it did meanwhile, and they come
     * back: nobody can tell what happened. Returns when the nodes know of the gap.
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
            throw new IllegalStateException("told to be gone in spite of the floor: " + wrong);
        }
        return new FaultEffect("compacted beyond " + revision, FaultContext.NO_SLOT, held);
    }

    /** It ends all that is recorded, so it comes in the end. */
    static FaultEffect neverInRounds(FaultContext scene) {
        throw new IllegalStateException("not a fault among others");
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
