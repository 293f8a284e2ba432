package io.tidemark.simulation.node;

import io.tidemark.record.Bytes;
import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.disk.FakeDisk;
import io.tidemark.simulation.fault.Mutation;
import io.tidemark.simulation.kafka.FakePartition;
import io.tidemark.simulation.kafka.LogRecord;
import io.tidemark.simulation.model.Payload;
import io.tidemark.simulation.promise.Promise;
import io.tidemark.simulation.promise.Violation;
import io.tidemark.simulation.world.CoverageEvent;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.simulation.world.Settings;
import io.tidemark.simulation.world.Step;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.EngineException;
import io.tidemark.store.engine.InMemoryEngine;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.read.ScanLimits;
import io.tidemark.store.seal.SealingEngine;
import io.tidemark.streams.replica.OpenPartitions;
import io.tidemark.streams.replica.SkippedRanges;
import io.tidemark.view.RecentChanges;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One node's replica of one partition: production's store over an engine that loses unflushed
 * writes, fed as Kafka Streams feeds it: from its stored offset, on restore and live alike; as a
 * standby only as far as the active replica has committed.
 */
public final class SimulatedReplica {
    private static final int MAX_POLL = 40;

    /** In records. */
    private static final int FAR_BEHIND = 200;

    /** One for all: the simulation has one thread, which never waits for itself. */
    private static final ReadExecutor GATE = ReadExecutor.DIRECT;

    /** Small, so that reads meet them; the time is real, so it must not be met. */
    private static final ScanLimits LIMITS =
            new ScanLimits(20, 1 << 20, Duration.ofHours(1), 15, 30);

    /** Few, so that changes are read from memory and from the engine. */
    private static final int RECENT_CHANGES = 8;

    private static final long RECENT_BYTES = 1 << 20;

    private final Scheduler scheduler;
    private final Settings settings;
    private final Mutation mutation;
    private final int node;
    private final int partition;
    private final FakePartition log;
    private final InstantSource clock;
    private final FakeDisk disk;
    private final OpenPartitions hosted;

    /** Of the whole run: a new process reads them again before a store asks for them. */
    private final SkippedRanges passed = new SkippedRanges();

    private final SimulatedConsumerGroup group;
    private final long lagMillis;
    private final Consumer<Violation> violations;
    private InMemoryEngine engine = new InMemoryEngine();
    private @Nullable PartitionStore store;
    private boolean active;

    /** Whether the disk was full at the last write: the store takes no records then. */
    private boolean suspended;

    /** Whether this node is to have the replica. */
    private boolean assigned;

    private long position;
    private long restoreEnd;
    private boolean restoring;
    private boolean catchingUp;
    private boolean paused;
    private boolean awake;
    private boolean namesIndexed = true;
    private boolean keepsMessages;

    /** Whether each poll returns all there is, up to a limit, rather than a part. */
    private boolean readsFast;

    /** Whether it may differ from etcd: since a key was corrupted, until a rebuild. */
    private boolean corrupt;

    private long nextFlushMillis;

    public SimulatedReplica(
            Scheduler scheduler,
            Settings settings,
            Mutation mutation,
            int node,
            int partition,
            FakePartition log,
            InstantSource clock,
            FakeDisk disk,
            OpenPartitions hosted,
            SimulatedConsumerGroup group,
            Consumer<Violation> violations) {
        this.violations = violations;
        this.scheduler = scheduler;
        this.settings = settings;
        this.mutation = mutation;
        this.node = node;
        this.partition = partition;
        this.log = log;
        this.clock = clock;
        this.disk = disk;
        this.hosted = hosted;
        this.group = group;
        this.lagMillis = 4 + 20L * node;
        log.onAppend(this::wake);
    }

    /** Opens it if necessary, and sets its role. */
    public void host(boolean asActive) {
        if (asActive && !active && store != null) {
            scheduler.count(CoverageEvent.STANDBYS_PROMOTED);
        }
        active = asActive;
        assigned = true;
        if (store == null && !suspended) {
            tryToOpen();
        }
        wake();
    }

    /** On a full disk the store is opened once there is space. */
    private void tryToOpen() {
        try {
            open();
        } catch (EngineException e) {
            suspend(e);
        }
    }

    /**
     * As on a real node, the store stays open on a full disk and serves what it has; with space
     * again it writes what it holds, and reads on behind that.
     */
    private void suspend(EngineException e) {
        if (!e.isNoSpace()) {
            throw e;
        }
        if (!suspended) {
            suspended = true;
            scheduler.count(CoverageEvent.REPLICAS_SUSPENDED);
            resumeLater();
        }
    }

    private void resumeLater() {
        var unused = scheduler.after(scheduler.between(50, 400), "await space", this::resume);
    }

    private void resume() {
        if (!suspended) {
            return;
        }
        PartitionStore open = store;
        try {
            if (open != null) {
                open.write();
                position = open.appliedOffset() + 1;
            } else if (assigned) {
                open();
            }
        } catch (EngineException _) {
            resumeLater();
            return;
        }
        suspended = false;
        wake();
    }

    private void open() {
        // Its node has restarted, perhaps with other indexed fields.
        namesIndexed ^= scheduler.oneIn(4);
        keepsMessages = !keepsMessages;
        StoreSettings declared = settings.store(namesIndexed);
        if (keepsMessages) {
            declared = declared.withProtobuf(new SimulatedMessages());
        }
        KeyValueEngine onDisk =
                SealingEngine.over(disk.engine(mutation.engine(engine)), declared.secretKeys());
        var unused = PartitionStore.prepare(onDisk, declared, "simulated");
        PartitionStore opened =
                PartitionStore.open(
                        partition,
                        onDisk,
                        declared,
                        clock,
                        GATE,
                        LIMITS,
                        new RecentChanges(RECENT_CHANGES, RECENT_BYTES),
                        true);
        if (opened.resetIfOlderThan(
                        Duration.ofMillis(settings.deleteRetentionMillis()), clock.millis())
                .isPresent()) {
            scheduler.count(CoverageEvent.STORES_AWAY_TOO_LONG);
        }
        store = opened;
        position = opened.appliedOffset() + 1;
        restoreEnd = log.endOffset();
        opened.observeTopicEnd(restoreEnd, clock.millis());
        restoring = true;
        catchingUp = true;
        nextFlushMillis = scheduler.nowMillis() + scheduler.between(500, 5_000);
        hosted.opened(partition, opened, this::rebuild);
    }

    /** A key whose Secret the disk holds in clear. */
    Optional<Bytes> clearSecret() {
        try (KeyValueEngine.Snapshot now = engine.snapshot()) {
            for (Family family : Family.values()) {
                try (KeyValueEngine.Cursor all = now.scan(family, Bytes.EMPTY, Bytes.EMPTY)) {
                    for (; all.isValid(); all.next()) {
                        // One byte a character: the word is ASCII, and values are many.
                        if (new String(all.value(), StandardCharsets.ISO_8859_1)
                                .contains(Payload.HIDDEN)) {
                            return Optional.of(all.key());
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Closes it: its writes are flushed and stay on this node's disk. */
    public void unhost() {
        PartitionStore closing = store;
        if (closing != null) {
            store = null;
            hosted.closing(partition, closing);
            try {
                closing.close();
                engine.reopen();
            } catch (EngineException e) {
                engine.crash();
            }
        }
        active = false;
        assigned = false;
        suspended = false;
    }

    public boolean isOpen() {
        return store != null;
    }

    /** The offset through which it has read. */
    public long position() {
        return position;
    }

    /** There may be records to read. */
    public void wake() {
        if (!awake && store != null && !paused && !suspended) {
            awake = true;
            long most = active ? lagMillis : 4 * lagMillis + 60;
            var unused = scheduler.after(scheduler.between(1, most), "poll", this::poll);
        }
    }

    /** Reads on, a batch at a time. */
    private void poll() {
        awake = false;
        PartitionStore to = store;
        if (to == null || paused || suspended) {
            return;
        }
        try {
            poll(to);
        } catch (EngineException e) {
            suspend(e);
        }
    }

    private void poll(PartitionStore to) {
        long end = active ? log.endOffset() : Math.min(log.endOffset(), group.committed(partition));
        // A consumer that is far behind gets full batches, so every replica catches up in time.
        int most = end - position > FAR_BEHIND ? FAR_BEHIND : MAX_POLL;
        int max = readsFast ? FAR_BEHIND : scheduler.random().nextInt(1, most);
        List<LogRecord> records = log.read(position, max, false);
        for (LogRecord record : records) {
            if (record.offset() >= end) {
                break;
            }
            log.reportCorruptRanges(position, record.offset(), passed);
            if (passed.isBetween(partition, to.appliedOffset(), record.offset())) {
                scheduler.count(CoverageEvent.RECORDS_LOST);
                to.recordsLost(record.offset());
            }
            for (LogRecord seen : mutation.record(record, node, restoring)) {
                apply(to, seen);
            }
            position = record.offset() + 1;
        }
        if (records.isEmpty() || records.getLast().offset() >= end) {
            log.reportCorruptRanges(position, end, passed);
            position = Math.max(position, end);
        }
        if (catchingUp && position >= restoreEnd) {
            catchingUp = false;
            restoring = false;
            to.markCaughtUp();
        }
        if (position < end) {
            wake();
        }
    }

    private static void apply(PartitionStore store, LogRecord record) {
        TopicRecord content = record.content();
        store.applyRecord(
                content.key().array(),
                content.value() == null ? null : content.value().array(),
                record::header,
                record.offset(),
                record.timestampMillis());
    }

    /** What Streams does periodically. */
    public void commit() {
        PartitionStore open = store;
        if (open == null || paused || suspended) {
            return;
        }
        try {
            commit(open);
        } catch (EngineException e) {
            suspend(e);
        }
    }

    private void commit(PartitionStore open) {
        if (active) {
            group.commit(partition, position);
        }
        if (!catchingUp && !open.isCaughtUp()) {
            catchingUp = true;
            restoreEnd = log.endOffset();
            open.observeTopicEnd(restoreEnd, clock.millis());
            wake();
        }
        if (scheduler.nowMillis() >= nextFlushMillis) {
            nextFlushMillis = scheduler.nowMillis() + scheduler.between(500, 5_000);
            open.flushSoon();
        } else {
            open.write();
        }
    }

    public void pause(boolean now) {
        paused = now;
        wake();
    }

    /** From now on it reads as fast as it can. */
    void readFast() {
        readsFast = true;
    }

    /** Reads some records again. */
    public void rewind(int records) {
        position = Math.max(0, position - records);
        wake();
    }

    /** Loses unflushed writes. */
    public void crash() {
        PartitionStore lost = store;
        if (lost != null) {
            store = null;
            hosted.closing(partition, lost);
        }
        active = false;
        assigned = false;
        suspended = false;
        engine.crash();
    }

    /** The disk loses or invents one of its keys, without a word; nothing if it has none. */
    public void corrupt(Step.Corruption how) {
        List<Bytes> keys = new ArrayList<>();
        if (store != null) {
            try (KeyValueEngine.Snapshot now = engine.snapshot();
                    KeyValueEngine.Cursor all =
                            now.scan(
                                    Family.OBJECTS, Settings.PREFIX, Settings.PREFIX.prefixEnd())) {
                for (; all.isValid(); all.next()) {
                    keys.add(all.key());
                }
            }
        }
        if (keys.isEmpty()) {
            return;
        }
        Bytes key = scheduler.pick(keys);
        WriteBatch change = new WriteBatch();
        switch (how) {
            case OBJECT_LOST -> change.delete(Family.OBJECTS, key);
            case METADATA_LOST -> change.delete(Family.METADATA, key);
            case OBJECT_INVENTED ->
                    change.put(
                            Family.OBJECTS,
                            Bytes.utf8(key.utf8() + "-invented"),
                            Bytes.wrap(Objects.requireNonNull(engine.get(Family.OBJECTS, key))));
        }
        engine.write(change);
        engine.flush();
        corrupt = true;
        scheduler.count(CoverageEvent.KEYS_LOST);
        scheduler.note(() -> "  " + how + " " + key);
    }

    /** What the self-check requests: the same as production, from an empty store on. */
    private boolean rebuild(PartitionStore wrong, String why) {
        if (store != wrong) {
            return false;
        }
        scheduler.note(() -> "partition %d of node %d: %s".formatted(partition, node, why));
        if (!corrupt) {
            violations.accept(
                    new Violation(
                            Promise.CONVERGENT,
                            "partition %d of node %d is rebuilt although it lost nothing: %s"
                                    .formatted(partition, node, why)));
        }
        scheduler.count(CoverageEvent.REPLICAS_REBUILT);
        store = null;
        hosted.closing(partition, wrong);
        engine = new InMemoryEngine();
        corrupt = false;
        var unused =
                scheduler.after(
                        scheduler.between(1, 50),
                        "rebuild",
                        () -> {
                            if (assigned && store == null && !suspended) {
                                tryToOpen();
                                wake();
                            }
                        });
        return true;
    }

    /** Loses everything. */
    public void wipe() {
        crash();
        engine = new InMemoryEngine();
        corrupt = false;
    }
}
