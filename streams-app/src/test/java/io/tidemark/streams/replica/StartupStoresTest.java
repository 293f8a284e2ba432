package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.rocksdb.RocksMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node of two partitions, whose stores Streams opens, closes and opens again. */
class StartupStoresTest {
    @TempDir private Path directory;
    @AutoClose private final RocksMemory memory = new RocksMemory(8 << 20, 8 << 20);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private StateFolders folders;
    private StoreContext context;
    private OpenPartitions open;
    private StartupStores startup;

    @BeforeEach
    void closedStores() {
        folders = StateFolders.of(directory, "app");
        context = TestStores.context(folders, memory, now::get);
        open = context.open();
        startup = context.startup();
        begin(0).close();
        begin(1).close();
        assertThat(isOpen(0)).isFalse();
    }

    @AfterEach
    void closeRest() {
        startup.closeRest(context.closer());
    }

    private RebuildableStore begin(int partition) {
        RebuildableStore begun = new RebuildableStore(context, partition, folders.store(partition));
        begun.begin();
        return begun;
    }

    /** RocksDB locks the folder of an open store: only one can be open. */
    private boolean isOpen(int partition) {
        try {
            StoreFolder folder = new StoreFolder(context, partition, folders.store(partition));
            folder.close(folder.open());
            return false;
        } catch (RuntimeException _) {
            return true;
        }
    }

    @Test
    void streamsOpensTheStoresThatAreOpen() {
        startup.openAll(context, folders, 2);
        assertThat(isOpen(0)).isTrue();
        RebuildableStore asked = begin(0);
        PartitionStore first = open.stores().get(0);
        asked.close();
        assertThat(open.stores()).isEmpty();
        startup.started();

        RebuildableStore assigned = begin(0);

        assertThat(open.stores().get(0)).isSameAs(first);
        assigned.close();
        assertThat(isOpen(0)).isFalse();
    }

    @Test
    void closesTheStoresOfPartitionsThatOthersGot() {
        startup.openAll(context, folders, 2);
        startup.started();
        RebuildableStore assigned = begin(0);

        startup.closeRest(context.closer());

        assertThat(isOpen(1)).isFalse();
        assertThat(isOpen(0)).isTrue();
        assigned.close();
        assertThat(isOpen(0)).isFalse();
    }

    @Test
    void makesNoStoreWhereNoneIs() {
        startup.openAll(context, folders, 4);

        assertThat(folders.store(2)).doesNotExist();
    }

    /** Such as one whose folder another program locks. */
    @Test
    void leavesAStoreThatCannotBeOpenedToStreams() {
        StoreFolder locked = new StoreFolder(context, 1, folders.store(1));
        PartitionStore other = locked.open();

        startup.openAll(context, folders, 2);

        assertThat(startup.take(1)).isEmpty();
        locked.close(other);
        RebuildableStore opened = begin(1);
        assertThat(opened.isOpen()).isTrue();
        startup.started();
        opened.close();
    }

    /** Between the two openings; a delete that it has not read may be compacted away. */
    @Test
    void startsFromNothingAfterTheMachineWasSuspended() {
        RebuildableStore filled = begin(0);
        filled.applyLive(mark(Kind.LIST_BEGIN, 0));
        filled.applyLive(mark(Kind.LIST_END, 1));
        filled.close();
        startup.openAll(context, folders, 2);
        startup.started();
        now.updateAndGet(before -> before.plus(Duration.ofHours(25)));

        RebuildableStore assigned = begin(0);

        assertThat(open.stores().get(0).appliedOffset()).isNegative();
        assigned.close();
    }

    private DeliveredRecord mark(Kind kind, long offset) {
        return TestStores.mark(now::get, 1, kind, offset);
    }
}
