package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.rocksdb.RocksMemory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose records must be read from the topic again, which cannot be read here. */
class RebuildableStoreTest {
    @TempDir private Path folder;
    @AutoClose private final RocksMemory memory = new RocksMemory(8 << 20, 8 << 20);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private OpenPartitions open;
    private DiskSpace disk;
    private RebuildableStore rebuildable;
    private PartitionStore store;

    @BeforeEach
    void open() {
        StateFolders folders = StateFolders.of(folder, "app");
        StoreContext context = TestStores.context(folders, memory, now::get);
        open = context.open();
        open.setPartitions(1);
        disk = context.disk();
        rebuildable = new RebuildableStore(context, 0, folder.resolve("store"));
        rebuildable.begin();
        store = open.stores().get(0);
        mark(1, Kind.LIST_BEGIN, 0);
        mark(1, Kind.LIST_END, 1);
    }

    @AfterEach
    void close() {
        rebuildable.close();
    }

    private void mark(long epoch, Kind kind, long offset) {
        rebuildable.applyLive(record(epoch, kind, offset));
    }

    private DeliveredRecord record(long epoch, Kind kind, long offset) {
        return TestStores.mark(now::get, epoch, kind, offset);
    }

    /** As one that was closed: a delete that it has not read may be compacted away. */
    @Test
    void startsFromNothingWhenItWaitedForLongerThanDeletesAreKept() {
        DeliveredRecord restored = record(1, Kind.PROGRESS, 2);
        DeliveredRecord afterMissingOnes = record(1, Kind.PROGRESS, 10);
        rebuildable.apply(restored);
        now.updateAndGet(time -> time.plus(TestStores.DELETES_KEPT).plusSeconds(1));

        rebuildable.applyLive(afterMissingOnes);

        await().until(() -> store.appliedOffset() < 0);
    }

    /** The topic may keep a record after one that it has dropped: a delete, for example. */
    @Test
    void startsFromNothingWhenItWasCutOffForLongerThanDeletesAreKept() {
        DeliveredRecord writtenMeanwhile = record(1, Kind.PROGRESS, 2);
        now.updateAndGet(time -> time.plus(TestStores.DELETES_KEPT).plusSeconds(1));

        rebuildable.apply(writtenMeanwhile);

        await().until(() -> store.appliedOffset() < 0);
    }

    /** Otherwise all replicas would be rebuilt at once after the connector was away. */
    @Test
    void keepsWhatItHasWhenNothingWasWrittenForLong() {
        now.updateAndGet(time -> time.plus(TestStores.DELETES_KEPT).plusSeconds(1));
        mark(1, Kind.PROGRESS, 2);

        rebuildable.apply(record(1, Kind.PROGRESS, 3));

        assertThat(store.appliedOffset()).isEqualTo(3);
    }

    /** Its newest mark is old, but it has missed no delete since it was empty. */
    @Test
    void keepsWhatItHasWhileItIsBeingFilled() {
        Instant opened =
                now.getAndUpdate(time -> time.minus(TestStores.DELETES_KEPT.multipliedBy(2)));
        mark(2, Kind.LIST_BEGIN, 2);
        mark(2, Kind.LIST_END, 3);
        DeliveredRecord restored = record(2, Kind.PROGRESS, 4);
        DeliveredRecord afterMissingOnes = record(2, Kind.PROGRESS, 10);
        rebuildable.apply(restored);
        now.set(opened);
        disk.suspend(0, "no space left");

        rebuildable.applyLive(afterMissingOnes);

        await().until(() -> !disk.isWaiting(0));
        assertThat(store.appliedOffset()).isEqualTo(4);
    }
}
