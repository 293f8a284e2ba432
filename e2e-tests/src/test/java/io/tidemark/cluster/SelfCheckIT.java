package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.view.object.StoredObject;
import io.tidemark.waits.LongTest;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that lost, kept or corrupted something: the self-check detects it, names the keys,
 * rebuilds the store, and proves the new one.
 */
@LongTest
class SelfCheckIT {
    private static final String[] OFTEN = {"--self-check", "1s"};
    private static final String REBUILT = "rebuilt from the topic";
    private static final Bytes LOST = TestEtcd.configMapKey("ns-3", "cm-13");
    private static final Bytes OLD = TestEtcd.configMapKey("ns-3", "cm-23");
    private static final int PARTITION = new PartitionAssigner(8).partitionOf(LOST);

    @TempDir private Path folder;

    private Path data() {
        return folder.resolve("data");
    }

    private Path store() {
        return data().resolve("state/tidemark/0_" + PARTITION + "/mirror");
    }

    /** Fills the stores, waits for their proof, and stops. */
    private void fill(TestEtcd etcd) throws Exception {
        etcd.putConfigMaps(3_000, "first");
        for (int i = 0; i < 100; i++) {
            etcd.putConfigMap("ns-3", "big-" + i, noise(i));
        }
        try (TidemarkProcess tidemark = TidemarkProcess.up(data(), etcd.endpoint(), OFTEN)) {
            awaitProof(tidemark, etcd);
            assertThat(tidemark.log()).doesNotContain("differs from etcd");
            assertThat(tidemark.stop()).isZero();
        }
    }

    /** Does not compress, so that objects take the most space. */
    private static String noise(int seed) {
        byte[] bytes = new byte[4_000];
        new Random(seed).nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Every partition is proven at a revision that is not before now. */
    private static void awaitProof(TidemarkProcess tidemark, TestEtcd etcd) {
        long now = etcd.putConfigMap("now", "now", "now");
        SelfCheckProofs.await(tidemark.api(), now);
    }

    private void awaitRepair(TidemarkProcess tidemark, TestEtcd etcd, String said)
            throws Exception {
        await().until(() -> tidemark.log().contains(said));
        awaitProof(tidemark, etcd);
        assertThat(tidemark.api().keys("registry/")).isEqualTo(etcd.keys("/registry/"));
        assertThat(tidemark.log()).doesNotContain("TOPIC IS WRONG");
        assertThat(tidemark.api().get("/readyz?verbose").body())
                .contains("[+]selfcheck-partition-%d equal to etcd".formatted(PARTITION));
        assertThat(
                        tidemark.api()
                                .get("/cluster")
                                .json()
                                .at("/nodes/0/copies/0/provenAtMillis")
                                .asLong())
                .isPositive();
    }

    @Test
    void lostAndStaleKeysAreReportedAndRepaired() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            fill(etcd);
            try (RocksMemory memory = new RocksMemory(8 << 20, 8 << 20)) {
                RocksEngine engine = RocksEngine.open(store(), memory);
                byte[] older = engine.get(Family.OBJECTS, OLD).clone();
                long revision = new StoredObject(OLD, older).revision();
                ByteBuffer.wrap(older).putLong(2, revision - 1);
                WriteBatch batch = new WriteBatch();
                batch.delete(Family.OBJECTS, LOST);
                batch.put(Family.OBJECTS, OLD, Bytes.wrap(older));
                engine.write(batch);
                engine.close();
            }
            try (TidemarkProcess tidemark = TidemarkProcess.up(data(), etcd.endpoint(), OFTEN)) {
                awaitRepair(tidemark, etcd, LOST.utf8() + " (missing, etcd has it at ");
                assertThat(tidemark.log()).contains(OLD.utf8() + " (here at ");
                assertThat(tidemark.api().get("/readyz?verbose").body())
                        .contains("rebuilt 1 times");
                assertThat(tidemark.api().get("/metrics").body())
                        .contains(
                                "tidemark_selfcheck_mismatches_total{partition=\"%d\",resource=\"/registry/configmaps/\"} 1.0"
                                        .formatted(PARTITION));
            }
        }
    }

    @Test
    void corruptionIsDetectedAtRuntimeAndAtStart() throws Exception {
        try (TestEtcd etcd = new TestEtcd(folder.resolve("etcd"))) {
            fill(etcd);
            int logged;
            try (TidemarkProcess tidemark = TidemarkProcess.up(data(), etcd.endpoint(), OFTEN)) {
                awaitProof(tidemark, etcd);
                flipBytes();
                // By the self-check, unless the store was closed before it got there.
                awaitRepair(tidemark, etcd, REBUILT);
                assertThat(tidemark.stop()).isZero();
                logged = tidemark.log().length();
            }
            flipBytes();
            try (TidemarkProcess tidemark = TidemarkProcess.up(data(), etcd.endpoint(), OFTEN)) {
                await().until(() -> tidemark.log().substring(logged).contains(REBUILT));
                awaitProof(tidemark, etcd);
                assertThat(tidemark.api().keys("registry/")).isEqualTo(etcd.keys("/registry/"));
            }
        }
    }

    /** In the middle of the blocks of the largest file, far from what opening it reads. */
    private void flipBytes() throws Exception {
        try (Stream<Path> files = Files.list(store())) {
            Path largest =
                    files.filter(each -> each.toString().endsWith(".sst"))
                            .max(Comparator.comparingLong(each -> each.toFile().length()))
                            .orElseThrow();
            try (RandomAccessFile file = new RandomAccessFile(largest.toFile(), "rw")) {
                file.seek(file.length() / 3);
                byte[] bytes = new byte[64];
                file.readFully(bytes);
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] ^= 0x5a;
                }
                file.seek(file.length() / 3);
                file.write(bytes);
            }
        }
    }
}
