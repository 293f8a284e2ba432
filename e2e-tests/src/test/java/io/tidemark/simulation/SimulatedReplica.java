package io.tidemark.simulation;

import io.tidemark.record.TopicRecord;
import io.tidemark.simulation.world.FakePartition;
import io.tidemark.simulation.world.LogRecord;
import io.tidemark.simulation.world.Scheduler;
import io.tidemark.store.InMemoryEngine;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.ReadGate;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One node's copy of one partition: production's store over an engine that loses what was not
 * flushed, fed as Kafka Streams would feed it: from the offset it holds, on restore and live alike.
 */
final class SimulatedReplica {
    private static final int MAX_POLL = 40;

    private final Scheduler scheduler;
    private final Settings settings;
    private final Mutation mutation;
    private final int node;
    private final int partition;
    private final FakePartition log;
    private InMemoryEngine engine = new InMemoryEngine();
    private @Nullable PartitionStore store;
    private @Nullable PartitionView view;
    private long position;
    private long restoreEnd;
    private boolean restoring;
    private boolean paused;

    SimulatedReplica(
            Scheduler scheduler,
            Settings settings,
            Mutation mutation,
            int node,
            int partition,
            FakePartition log) {
        this.scheduler = scheduler;
        this.settings = settings;
        this.mutation = mutation;
        this.node = node;
        this.partition = partition;
        this.log = log;
    }

    void open() {
        var unused = PartitionStore.prepare(engine, settings.store(), "simulated");
        PartitionStore opened =
                PartitionStore.open(
                        partition,
                        engine,
                        settings.store(),
                        scheduler.clock(),
                        ReadGate.ofCores(),
                        true);
        store = opened;
        view = mutation.view(opened.view());
        position = opened.appliedOffset() + 1;
        restoreEnd = log.endOffset();
        restoring = true;
    }

    /** Null while the node is down. */
    @Nullable PartitionView view() {
        return view;
    }

    PartitionState state() {
        return store == null ? PartitionState.EMPTY : store.state();
    }

    /** Reads on, a batch at a time. */
    void poll() {
        if (store == null || paused) {
            return;
        }
        int max = scheduler.random().nextInt(1, MAX_POLL);
        List<LogRecord> records = log.read(position, max, false);
        for (LogRecord record : records) {
            PartitionStore to = store;
            mutation.record(record, node, restoring).ifPresent(seen -> apply(to, seen));
            position = record.offset() + 1;
        }
        if (records.size() < max) {
            position = Math.max(position, log.endOffset());
        }
        if (restoring && position >= restoreEnd) {
            restoring = false;
            store.caughtUp();
        }
    }

    private static void apply(PartitionStore store, LogRecord record) {
        TopicRecord content = record.content();
        store.applyRecord(
                content.key().array(),
                content.value() == null ? null : content.value().array(),
                name -> TopicMemory.header(content, name),
                record.offset(),
                record.timestampMillis());
    }

    void flush() {
        if (store != null && !paused) {
            store.flush();
        }
    }

    void pause(boolean now) {
        paused = now;
    }

    /** Reads some records again. */
    void rewind(int records) {
        position = Math.max(0, position - records);
    }

    /** Loses what was not flushed. */
    void crash() {
        store = null;
        view = null;
        engine.crash();
    }

    /** Loses everything. */
    void wipe() {
        crash();
        engine = new InMemoryEngine();
    }
}
