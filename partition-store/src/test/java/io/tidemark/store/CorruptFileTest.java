package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ContentType;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Bytes that change on disk under an open store. */
class CorruptFileTest {
    private static final int OBJECTS = 300;

    /** Smaller files hold no objects. */
    private static final int LARGE = 100_000;

    private static final StoreSettings SETTINGS =
            new StoreSettings(
                    Duration.ofHours(6), 1 << 30, Duration.ofHours(6), IndexSettings.DEFAULT);

    @TempDir private Path folder;

    /** A later release may have a family that this one does not know. */
    @Test
    void putsAsideAFolderWithAnUnknownFamily() throws Exception {
        try (RocksMemory memory = new RocksMemory(8 << 20, 8 << 20, 100)) {
            try (PartitionStore store = open(RocksEngine.open(folder.resolve("store"), memory))) {
                fill(store);
            }
            addFamily(folder.resolve("store"), "of-a-later-release");
            try (PartitionStore store = open(RocksEngine.open(folder.resolve("store"), memory))) {
                assertThat(store.appliedOffset()).isEqualTo(-1);
                assertThat(store.state().ready()).isFalse();
            }
            assertThat(folder.resolve("store.broken")).isDirectory();
        }
    }

    private static void addFamily(Path store, String name) throws RocksDBException {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        try (Options options = new Options();
                DBOptions database = new DBOptions()) {
            for (byte[] family : RocksDB.listColumnFamilies(options, store.toString())) {
                families.add(new ColumnFamilyDescriptor(family));
            }
            List<ColumnFamilyHandle> opened = new ArrayList<>();
            try (RocksDB db = RocksDB.open(database, store.toString(), families, opened);
                    ColumnFamilyHandle _ =
                            db.createColumnFamily(
                                    new ColumnFamilyDescriptor(
                                            name.getBytes(StandardCharsets.UTF_8)))) {
                opened.forEach(ColumnFamilyHandle::close);
            }
        }
    }

    private static TideMark mark(TideMark.Kind kind) {
        return new TideMark(1, 10, kind, 7, "http://c", "", 0);
    }

    private static PartitionStore open(RocksEngine engine) {
        var _ = PartitionStore.prepare(engine, SETTINGS, "topic");
        return PartitionStore.open(
                0, engine, SETTINGS, InstantSource.system(), ReadExecutor.DIRECT, false);
    }

    private static void fill(PartitionStore store) {
        long now = System.currentTimeMillis();
        store.apply(mark(TideMark.Kind.LIST_BEGIN), 0, now);
        byte[] noise = new byte[4_000]; // Does not compress.
        Random random = new Random(1);
        for (int i = 0; i < OBJECTS; i++) {
            random.nextBytes(noise);
            Bytes key = Bytes.utf8("/k/%03d".formatted(i));
            store.apply(
                    new Change.Put(
                            1,
                            5,
                            0,
                            key,
                            Bytes.wrap(noise.clone()),
                            ContentType.RAW,
                            5,
                            1,
                            0,
                            true,
                            ""),
                    1 + i,
                    now);
        }
        store.apply(mark(TideMark.Kind.LIST_END), 1 + OBJECTS, now);
        store.flush();
    }

    private static ReadOutcome<KeysPage> keys(PartitionStore store) {
        return store.keys(new KeysRequest(Projection.WHOLE, 1, 10, Bytes.EMPTY, OBJECTS + 1));
    }

    @Test
    void readingAllKeysFindsCorruptionAndTheFolderIsSetAside() throws Exception {
        try (RocksMemory memory = new RocksMemory(8 << 20, 8 << 20)) {
            RocksEngine engine = RocksEngine.open(folder.resolve("store"), memory);
            PartitionStore store = open(engine);
            fill(store);
            assertThat(keys(store)).isInstanceOf(ReadOutcome.Served.class);
            assertThat(store.fault()).isEmpty();

            // A compaction may replace the files right after their bytes were flipped.
            await().until(() -> {
                flipBytes();
                return keys(store) instanceof ReadOutcome.ReplicaUnavailable;
            });
            assertThat(store.fault()).contains("checksum mismatch");
            engine.abandon();
            RocksEngine next = RocksEngine.open(folder.resolve("store"), memory);
            assertThat(next.get(Family.OBJECTS, Bytes.utf8("/k/000"))).isNull();
            assertThat(Files.exists(folder.resolve("store.broken"))).isTrue();
            next.close();
        }
    }

    /** A quarter of each large file: a few of its blocks may be in the block cache. */
    private void flipBytes() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("store"))) {
            for (Path each : files.filter(file -> file.toString().endsWith(".sst")).toList()) {
                flipBytes(each);
            }
        }
    }

    private static void flipBytes(Path table) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(table.toFile(), "rw")) {
            int quarter = (int) (file.length() / 4);
            if (file.length() >= LARGE) {
                file.seek(quarter);
                file.write(new byte[quarter]);
            }
        } catch (FileNotFoundException _) {
            // Deleted after a compaction.
        }
    }
}
