package io.tidemark.streams.replica;

import io.tidemark.record.CompactionLag;
import io.tidemark.record.NewerFormatException;
import io.tidemark.store.PartitionStore;
import io.tidemark.store.engine.EngineException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition's store, which Streams feeds while all is well. When its data turns out corrupt
 * while in use, it is set aside and an empty store takes its place; when the disk is full, the
 * store stays unchanged until there is space. In both cases a {@link ReplicaRebuild} reads the
 * missing records from the topic; Streams does not notice. Before a record of a newer format the
 * store stops: it stays readable, and a later release continues there.
 */
final class RebuildableStore implements ReplicaRebuild.RebuildTarget {
    private static final Logger LOG = LoggerFactory.getLogger(RebuildableStore.class);

    /** Longest time without a flush; a crash costs reading that much again. */
    private static final Duration FLUSH_EVERY = Duration.ofSeconds(60);

    /** A consumer may need as long for its first records, however short deletes are kept. */
    private static final Duration LEAST_WAIT = Duration.ofMinutes(1);

    /** Least time between two rebuilds that a failed write has begun. */
    private static final Duration BETWEEN_REBUILDS = Duration.ofMinutes(1);

    private final StoreContext shared;
    private final int partition;
    private final StoreFolder folder;

    /** Guards all below. Streams' threads and a rebuild rarely contend for it. */
    private final ReentrantLock lock = new ReentrantLock();

    private @Nullable PartitionStore store;
    private @Nullable ReplicaRebuild refill;
    private @Nullable RuntimeException failure;

    /** Whether the store has stopped before a record of a newer format. */
    private boolean stopped;

    /**
     * Offset through which Streams has delivered all records, applied or dropped; the last one may
     * be without a record.
     */
    private long delivered = -1;

    /** Whether the last record came from Streams' main consumer. */
    private boolean isLive;

    /** When the store was opened, or last took a record. */
    private long fedMillis;

    private long nextFlushMillis;
    private long rebuiltMillis;

    /** When the store, then without a record, was opened; 0 if it never was without one. */
    private long emptyMillis;

    RebuildableStore(StoreContext shared, int partition, Path folder) {
        this.shared = shared;
        this.partition = partition;
        this.folder = new StoreFolder(shared, partition, folder);
    }

    /** Opens the store; on a full disk, as soon as there is space. */
    void begin() {
        lock.lock();
        try {
            open();
        } catch (EngineException e) {
            if (!e.isNoSpace()) {
                throw e;
            }
            awaitSpace(e);
        } finally {
            lock.unlock();
        }
    }

    private PartitionStore open() {
        Optional<PartitionStore> kept = shared.startup().take(partition);
        PartitionStore opened = kept.orElseGet(folder::open);
        store = opened;
        // The machine may have been suspended since it was opened.
        kept.ifPresent(folder::resetIfAwayTooLong);
        noteIfEmpty(opened);
        delivered = Math.max(delivered, opened.appliedOffset());
        fedMillis = shared.clock().millis();
        nextFlushMillis = fedMillis + FLUSH_EVERY.toMillis();
        shared.open().opened(partition, opened, this::rebuild);
        return opened;
    }

    /** Applies a record of a restore or a standby, or drops it while a rebuild feeds the store. */
    void apply(DeliveredRecord each) {
        lock.lock();
        try {
            isLive = false;
            applyNext(each);
        } finally {
            lock.unlock();
        }
    }

    /** All records of a restore or a standby through this offset have been delivered. */
    void appliedThrough(long offset) {
        lock.lock();
        try {
            delivered = Math.max(delivered, offset);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies a record of the main consumer, which continues at the group's committed offset. The
     * restore before it shall have ended there; it ends too early, for example, when a broker does
     * not know the committed offset for a moment (KAFKA-20416). Then this reads what lies between
     * from the topic.
     */
    void applyLive(DeliveredRecord each) {
        lock.lock();
        try {
            boolean begins = !isLive;
            isLive = true;
            if (begins && mayHaveSkippedRecords(each) && isFedByStreams()) {
                // Also when a transaction has ended there, whose end has an offset without a
                // record.
                LOG.info(
                        "partition {}: restored through offset {}, continuing at {}: reading any"
                                + " records between from the topic",
                        partition,
                        delivered,
                        each.offset());
                beginRefill();
            }
            applyNext(each);
        } finally {
            lock.unlock();
        }
    }

    /** A group that has committed nothing reads a partition from its first record on. */
    private boolean mayHaveSkippedRecords(DeliveredRecord first) {
        return first.offset() > delivered + 1
                && (delivered >= 0 || shared.commits().isKnown(partition));
    }

    private void applyNext(DeliveredRecord each) {
        delivered = Math.max(delivered, each.offset());
        try {
            if (isFedByStreams() && mayHaveMissedDeletes(each)) {
                beginRefill();
            }
            if (isFedByStreams()) {
                take(requireOpen(), each);
            }
        } catch (NewerFormatException e) {
            stop(each.offset(), e);
        } catch (EngineException e) {
            recoverOrThrow(e);
        }
    }

    /**
     * Whether a delete may have been written and compacted away since the last record was taken.
     * What follows such a delete in the topic is as old as what compaction may reach. A younger
     * record shows that nothing was written meanwhile: the connector was away, and a rebuild of all
     * replicas at once would gain nothing.
     */
    private boolean mayHaveMissedDeletes(DeliveredRecord next) {
        long compacted = CompactionLag.trustedMillis(shared.store().trustedLag());
        return requireOpen().appliedOffset() >= 0
                && hasWaitedTooLong()
                && next.timestampMillis() < shared.clock().millis() - compacted;
    }

    /**
     * A consumer waits for Kafka without end. Judged by the wall clock, as when a store is opened:
     * the time for which a machine was suspended counts.
     */
    private boolean hasWaitedTooLong() {
        long waited = shared.clock().millis() - fedMillis;
        return waited > Math.max(shared.deleteRetention().toMillis(), LEAST_WAIT.toMillis());
    }

    private void take(PartitionStore into, DeliveredRecord each) {
        if (shared.passed().isBetween(partition, into.appliedOffset(), each.offset())) {
            into.recordsLost(each.offset());
        }
        each.applyTo(into);
        fedMillis = shared.clock().millis();
    }

    /** Applying a later record without this one could show a state that etcd never had. */
    private void stop(long beforeOffset, NewerFormatException why) {
        PartitionStore open = requireOpen();
        stopped = true;
        shared.open().stopped(partition, why.getMessage());
        LOG.error(
                "partition {}: replica stopped at revision {}, before offset {}: {}",
                partition,
                open.state().watermark(),
                beforeOffset,
                why.getMessage());
    }

    private void resume() {
        stopped = false;
        shared.open().resumed(partition);
    }

    /**
     * Rebuilds the store when its data is corrupt; not again within a minute, in case the disk is
     * faulty.
     */
    private void recoverOrThrow(EngineException e) {
        if (e.isNoSpace()) {
            awaitSpace(e);
            return;
        }
        PartitionStore wrong = store;
        long now = shared.clock().millis();
        boolean soon = now - rebuiltMillis < BETWEEN_REBUILDS.toMillis();
        if (!e.isCorrupt() || wrong == null || soon || !rebuild(wrong, e.reason())) {
            throw e;
        }
    }

    /** Meanwhile the store, if it is open, serves reads as of its watermark. */
    private void awaitSpace(EngineException full) {
        shared.disk().suspend(partition, full.reason());
        if (refill == null) {
            beginRefill();
        }
    }

    private void beginRefill() {
        ReplicaRebuild begun = new ReplicaRebuild(partition, shared.topic(), shared.disk(), this);
        refill = begun;
        begun.start();
    }

    /** Sets this store's data aside, and begins to read it from the topic again. */
    private boolean rebuild(PartitionStore wrong, String why) {
        lock.lock();
        try {
            if (store != wrong) {
                return false;
            }
            LOG.warn("partition {}: replica is rebuilt from the topic: {}", partition, why);
            rebuiltMillis = shared.clock().millis();
            folder.markCorrupt();
            shared.open().closing(partition, wrong);
            store = null;
            refill = null;
            resume();
            folder.close(wrong);
            beginRefill();
            return true;
        } catch (RuntimeException e) {
            // Streams' next call throws this, and Streams opens the folder again.
            LOG.error("partition {}: cannot rebuild it in place", partition, e);
            failure = e;
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public OptionalLong prepare(ReplicaRebuild asking) {
        lock.lock();
        try {
            if (refill != asking) {
                return OptionalLong.empty();
            }
            PartitionStore open = store;
            if (open == null) {
                open = open();
            } else {
                open.write();
                resetIfAwayTooLong(open);
                fedMillis = shared.clock().millis();
            }
            shared.disk().resume(partition);
            return OptionalLong.of(open.appliedOffset() + 1);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The disk may have been full, or Kafka unreachable, for days. The marks of a store that is
     * being filled are old, but it has missed no delete since it was empty.
     */
    private void resetIfAwayTooLong(PartitionStore open) {
        long filledFor = shared.clock().millis() - emptyMillis;
        if (filledFor > shared.deleteRetention().toMillis()) {
            folder.resetIfAwayTooLong(open);
            noteIfEmpty(open);
        }
    }

    private void noteIfEmpty(PartitionStore open) {
        if (open.appliedOffset() < 0) {
            emptyMillis = shared.clock().millis();
        }
    }

    @Override
    public boolean isOver(ReplicaRebuild asking) {
        return locked(() -> refill != asking);
    }

    @Override
    public boolean refill(
            ReplicaRebuild asking, ConsumerRecords<byte[], byte[]> records, long position) {
        lock.lock();
        try {
            PartitionStore open = store;
            if (refill != asking || open == null) {
                return false;
            }
            if (!records.isEmpty() && hasWaitedTooLong()) {
                return false; // The rebuild begins again: prepare() looks at the store's age.
            }
            for (ConsumerRecord<byte[], byte[]> each : records) {
                try {
                    take(open, DeliveredRecord.of(each));
                } catch (NewerFormatException e) {
                    refill = null;
                    stop(each.offset(), e);
                    return false;
                }
            }
            if (position > delivered) {
                open.flushSoon();
                refill = null;
            } else {
                flushIfDue(open);
            }
            return refill == asking;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void isFull(ReplicaRebuild asking, EngineException why) {
        lock.lock();
        try {
            if (refill == asking) {
                awaitSpace(why);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(ReplicaRebuild asking, RuntimeException why) {
        lock.lock();
        try {
            if (refill == asking) {
                refill = null;
                failure = why;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Empties the store: Streams delivers everything again. */
    void reset() {
        lock.lock();
        try {
            if (store == null) {
                return;
            }
            LOG.warn(
                    "partition {}: the topic no longer has its offsets; starts from nothing",
                    partition);
            refill = null;
            resume();
            delivered = -1;
            isLive = false;
            requireOpen().reset();
        } catch (EngineException e) {
            recoverOrThrow(e);
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is in memory, and flushes when due. */
    void commit() {
        lock.lock();
        try {
            if (isFedByStreams()) {
                PartitionStore open = requireOpen();
                open.write();
                flushIfDue(open);
            }
        } catch (EngineException e) {
            recoverOrThrow(e);
        } finally {
            lock.unlock();
        }
    }

    private void flushIfDue(PartitionStore open) {
        long now = shared.clock().millis();
        if (now >= nextFlushMillis) {
            nextFlushMillis = now + FLUSH_EVERY.toMillis();
            open.flushSoon();
        }
    }

    /** Offset of the newest record that a flush would make durable; null for none. */
    @Nullable Long writtenOffset() {
        lock.lock();
        try {
            PartitionStore open = store;
            long written = open == null ? -1 : open.writtenOffset();
            return written < 0 ? null : written;
        } finally {
            lock.unlock();
        }
    }

    /** Flushes and closes the store, unless Streams will soon open it again. */
    void close() {
        lock.lock();
        try {
            PartitionStore closing = store;
            refill = null;
            resume();
            shared.disk().resume(partition);
            if (closing != null) {
                store = null;
                shared.open().closing(partition, closing);
                if (!shared.startup().keep(folder, closing)) {
                    shared.closer().close(() -> folder.close(closing));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the store is open, will be opened, or could not be rebuilt. */
    boolean isOpen() {
        return locked(() -> store != null || failure != null || refill != null);
    }

    private boolean locked(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** False while a rebuild feeds it, and after it has stopped. */
    private boolean isFedByStreams() {
        RuntimeException why = failure;
        if (why != null) {
            throw new IllegalStateException("partition " + partition + " was not rebuilt", why);
        }
        return refill == null && !stopped;
    }

    private PartitionStore requireOpen() {
        PartitionStore open = store;
        if (open == null) {
            throw new IllegalStateException("partition " + partition + " is not open");
        }
        return open;
    }
}
