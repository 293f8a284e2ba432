package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.record.Bytes;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.KeyValueEngine.Snapshot;
import io.tidemark.store.engine.NotCachedException;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in memory is read on the caller's thread, and only the rest waits for the disk. */
class CachedReadTest {
    private static final Bytes KEY = Bytes.utf8("a");

    @TempDir private Path folder;

    /** In a small cache, the part that a block falls into may be full of write buffers. */
    private final RocksMemory memory = new RocksMemory(128 << 20, 8 << 20);

    private final AtomicInteger passed = new AtomicInteger();
    private RocksEngine engine;

    @AfterEach
    void close() {
        engine.close();
        memory.close();
    }

    @Test
    void unflushedValuesAreInMemory() {
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore store = filled();

        assertThat(get(store)).contains(11L);
        assertThat(passed).hasValue(0);
    }

    @Test
    void aValueOnDiskIsReadOnceByTheExecutorAndThenFromMemory() {
        engine = RocksEngine.open(folder.resolve("store"), memory);
        filled().flush();
        engine.close();
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore store = open();

        assertThat(get(store)).contains(11L);
        assertThat(passed).hasValue(1);
        readFromMemory(() -> assertThat(get(store)).contains(11L));
    }

    @Test
    void aFewKeysOfAnIndexAreReadFromMemory() {
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore store = open();
        store.apply(Changes.begin(10), 0, 0);
        for (int i = 0; i < 100; i++) {
            Map<String, String> labels =
                    Map.of("rare", i % 10 == 0 ? "x" : "y", "all", i < 90 ? "x" : "y");
            store.apply(Changes.pod("p%02d".formatted(i), 5, 0, true, labels), 1 + i, 0);
        }
        store.apply(Changes.end(10), 101, 0);

        assertThat(scan(store, "rare", "").objects()).hasSize(10);
        assertThat(passed).hasValue(0);

        ScanPage first = scan(store, "all", "");
        assertThat(first.objects()).hasSize(16);
        assertThat(first.nextKey()).contains(Bytes.utf8("p16"));
        assertThat(passed).as("a short first page").hasValue(0);
        assertThat(scan(store, "all", "p16").objects()).hasSize(74);
        assertThat(passed).hasValue(1);
    }

    @Test
    void keysOfAnIndexOnDiskAreReadByTheExecutor() {
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore filled = open();
        filled.apply(Changes.begin(10), 0, 0);
        filled.apply(Changes.pod("p", 5, 0, true, Map.of("rare", "x")), 1, 0);
        filled.apply(Changes.end(10), 2, 0);
        filled.flush();
        engine.close();
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore store = open();

        assertThat(scan(store, "rare", "").objects()).hasSize(1);
        assertThat(passed).hasValue(1);
        readFromMemory(() -> assertThat(scan(store, "rare", "").objects()).hasSize(1));
    }

    /**
     * Reads until a read needs no disk. That may be the third one: when a snapshot is released,
     * RocksDB may rewrite the file in the background, and the new file is in no cache.
     */
    private void readFromMemory(Runnable read) {
        int attempts = 0;
        int fromDisk;
        do {
            fromDisk = passed.get();
            read.run();
        } while (passed.get() > fromDisk && ++attempts < 100);
        assertThat(attempts).as("reads that needed the disk").isLessThan(100);
    }

    private static ScanPage scan(PartitionStore store, String label, String from) {
        Requirement requirement = new Requirement(Source.LABEL, label, Operator.IN, Set.of("x"));
        ScanRequest request =
                new ScanRequest(
                        Bytes.EMPTY,
                        Bytes.utf8(from),
                        10,
                        new Selection(true, List.of(requirement)),
                        1_000,
                        1 << 20);
        return ((Served<ScanPage>) store.view().read(request)).value();
    }

    @Test
    void aCachedSnapshotNeverScansObjectsAndIsConsistent() {
        engine = RocksEngine.open(folder.resolve("store"), memory);
        PartitionStore store = filled();
        try (Snapshot snapshot = engine.cachedSnapshot()) {
            store.apply(Changes.put("a", 13, 0), 4, 0);
            store.apply(Changes.progress(13), 5, 0);
            store.write();

            byte[] stored = snapshot.get(Family.OBJECTS, KEY);
            assertThat(new StoredObject(KEY, stored).revision()).isEqualTo(11);
            assertThatThrownBy(() -> snapshot.scan(Family.OBJECTS, KEY, Bytes.EMPTY))
                    .isInstanceOf(NotCachedException.class);
        }
    }

    private PartitionStore filled() {
        PartitionStore store = open();
        store.apply(Changes.begin(10), 0, 0);
        store.apply(Changes.end(10), 1, 0);
        store.apply(Changes.put("a", 11, 0), 2, 0);
        store.apply(Changes.progress(12), 3, 0);
        store.write();
        return store;
    }

    private PartitionStore open() {
        StoreSettings settings =
                new StoreSettings(
                        StoreFixture.LAG, 1 << 20, StoreFixture.LAG, IndexSettings.DEFAULT);
        return PartitionStore.open(
                3, engine, settings, new ManualClock(Instant.EPOCH), new CountingExecutor(), false);
    }

    private Optional<Long> get(PartitionStore store) {
        ReadOutcome<Optional<StoredObject>> read = store.view().read(new GetRequest(KEY, 12));
        return ((Served<Optional<StoredObject>>) read).value().map(StoredObject::revision);
    }

    private final class CountingExecutor implements ReadExecutor {
        @Override
        public <T> T pass(Kind kind, Supplier<T> read) {
            passed.incrementAndGet();
            return read.get();
        }
    }
}
