package io.tidemark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.SmallDisk;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.rocksdb.RocksEngine;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.ReadOutcome.Served;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Mostly waits for RocksDB, which looks for space every five seconds. */
@Execution(ExecutionMode.CONCURRENT)
class FullDiskTest {
    private static final int VALUE_BYTES = 64 << 10;

    @TempDir private Path folder;
    private final Random random = new Random(14);
    private long revision = 100;
    private long offset;

    // Which write meets the full disk differs from run to run; a write that waited there would wait
    // forever.
    @RepeatedTest(3)
    @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
    void servesReadsOnAFullDiskAndResumesWithSpace() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), 64);
                RocksMemory memory = new RocksMemory(4 << 20, 4 << 20)) {
            Path at = disk.folder().resolve("store");
            PartitionStore store = open(at, memory);
            mark(store, Kind.LIST_BEGIN);
            mark(store, Kind.LIST_END);
            put(store);
            mark(store, Kind.PROGRESS);
            long first = revision;
            store.flush();
            disk.fill();

            EngineException full =
                    catchThrowableOfType(EngineException.class, () -> putUntilItFails(store));

            assertThat(full.isNoSpace()).isTrue();
            assertThat(full.isCorrupt()).isFalse();
            assertThat(isThere(store, first)).isTrue();
            long shown = store.state().watermark();
            disk.empty();
            await().until(() -> isWritten(store));
            assertThat(store.state().watermark()).isGreaterThanOrEqualTo(shown);
            long end = revision;
            mark(store, Kind.PROGRESS);
            store.flush();
            store.close();
            try (PartitionStore again = open(at, memory)) {
                assertThat(again.state().watermark()).isEqualTo(end);
                assertThat(isThere(again, first)).isTrue();
            }
            assertThat(disk.folder().resolve("store.broken")).doesNotExist();
            assertThat(Files.exists(at.resolve("BROKEN"))).isFalse();
        }
    }

    private static boolean isWritten(PartitionStore store) {
        try {
            store.write();
            store.flush();
            return true;
        } catch (EngineException e) {
            assertThat(e.isNoSpace()).as(() -> "expected no space, got " + e.getCause()).isTrue();
            return false;
        }
    }

    private static PartitionStore open(Path at, RocksMemory memory) {
        RocksEngine engine = RocksEngine.open(at, memory);
        return PartitionStore.open(
                0,
                engine,
                StoreSettings.DEFAULT,
                InstantSource.system(),
                ReadExecutor.DIRECT,
                false);
    }

    private static boolean isThere(PartitionStore store, long at) {
        return store.view().read(new GetRequest(key(at), store.state().watermark()))
                        instanceof Served<Optional<StoredObject>>(Optional<StoredObject> found)
                && found.isPresent();
    }

    private static Bytes key(long at) {
        return Bytes.utf8("/registry/pods/default/" + at);
    }

    private void putUntilItFails(PartitionStore store) {
        for (int i = 0; i < 2_000; i++) {
            put(store);
            mark(store, Kind.PROGRESS);
        }
    }

    private void put(PartitionStore store) {
        revision++;
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value); // Nothing that compresses.
        store.apply(
                new Change.Put(
                        1,
                        revision,
                        0,
                        key(revision),
                        Bytes.wrap(value),
                        ContentType.RAW,
                        1,
                        1,
                        0,
                        false,
                        ""),
                offset++,
                System.currentTimeMillis());
    }

    private void mark(PartitionStore store, Kind kind) {
        store.apply(Changes.mark(1, revision, kind), offset++, System.currentTimeMillis());
    }
}
