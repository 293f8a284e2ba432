package io.tidemark.streams.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.TopicRecord;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.group.GroupCommits;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store whose records must be read from the topic again, which cannot be read here. */
class RebuildableStoreTest {
    private static final Duration DELETES_KEPT = Duration.ofHours(24);

    @TempDir private Path folder;
    @AutoClose private final RocksMemory memory = new RocksMemory(8 << 20, 8 << 20);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private final OpenPartitions open = new OpenPartitions();
    private DiskSpace disk;
    private RebuildableStore rebuildable;
    private PartitionStore store;

    @BeforeEach
    void open() {
        open.setPartitions(1);
        SkippedRanges passed = new SkippedRanges();
        disk = new DiskSpace(StateFolders.of(folder, "app"));
        StoreContext context =
                new StoreContext(
                        open,
                        new StoreCloser(),
                        new StartupStores(),
                        StoreSettings.DEFAULT,
                        "topic-id",
                        DELETES_KEPT,
                        memory,
                        ReadThreads.start(),
                        now::get,
                        new TopicReader("mirror", Map.of(), passed),
                        passed,
                        new ReadAhead(),
                        new GroupCommits(),
                        disk);
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
        long time = now.get().toEpochMilli();
        TopicRecord encoded = ChangeCodec.encode(new TideMark(epoch, 10, kind, 1, "", "", time));
        RecordHeaders headers = new RecordHeaders();
        encoded.headers()
                .forEach(each ->
                        headers.add(each.name(), each.value().getBytes(StandardCharsets.UTF_8)));
        byte[] value = encoded.value() == null ? null : encoded.value().array();
        return new DeliveredRecord(encoded.key().array(), value, headers, offset, time);
    }

    /** As one that was closed: a delete that it has not read may be compacted away. */
    @Test
    void startsFromNothingWhenItWaitedForLongerThanDeletesAreKept() {
        DeliveredRecord restored = record(1, Kind.PROGRESS, 2);
        DeliveredRecord afterMissingOnes = record(1, Kind.PROGRESS, 10);
        rebuildable.apply(restored);
        now.updateAndGet(time -> time.plus(DELETES_KEPT).plusSeconds(1));

        rebuildable.applyLive(afterMissingOnes);

        await().until(() -> store.appliedOffset() < 0);
    }

    /** The topic may keep a record after one that it has dropped: a delete, for example. */
    @Test
    void startsFromNothingWhenItWasCutOffForLongerThanDeletesAreKept() {
        DeliveredRecord writtenMeanwhile = record(1, Kind.PROGRESS, 2);
        now.updateAndGet(time -> time.plus(DELETES_KEPT).plusSeconds(1));

        rebuildable.apply(writtenMeanwhile);

        await().until(() -> store.appliedOffset() < 0);
    }

    /** Otherwise all replicas would be rebuilt at once after the connector was away. */
    @Test
    void keepsWhatItHasWhenNothingWasWrittenForLong() {
        now.updateAndGet(time -> time.plus(DELETES_KEPT).plusSeconds(1));
        mark(1, Kind.PROGRESS, 2);

        rebuildable.apply(record(1, Kind.PROGRESS, 3));

        assertThat(store.appliedOffset()).isEqualTo(3);
    }

    /** Its newest mark is old, but it has missed no delete since it was empty. */
    @Test
    void keepsWhatItHasWhileItIsBeingFilled() {
        Instant opened = now.getAndUpdate(time -> time.minus(DELETES_KEPT.multipliedBy(2)));
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
