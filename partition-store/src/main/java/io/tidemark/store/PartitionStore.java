package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import io.tidemark.record.NewerFormatException;
import io.tidemark.store.engine.KeyValueEngine;
import io.tidemark.store.engine.KeyValueEngine.Family;
import io.tidemark.store.engine.WriteBatch;
import io.tidemark.store.fold.StoreFormat;
import io.tidemark.store.fold.TopicFold;
import io.tidemark.store.layout.FoldState;
import io.tidemark.store.layout.KeyLayout;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.LocalPartitionView;
import io.tidemark.store.read.ReadExecutor;
import io.tidemark.store.read.ScanLimits;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.RecentChanges;
import io.tidemark.view.object.Projection;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ReadOutcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition of the mirror topic, folded: the state at every revision between floor and
 * watermark, and the changes between any two of them. All records enter through {@link #apply},
 * live, on restore and on a standby alike. It drops records that it has applied before, so any part
 * of the topic may be applied again.
 *
 * <p>Changes collect in a batch, which is written at a tide mark (or when it is large), together
 * with its offset. The published state advances only at a mark, after its batch is written. Only a
 * crash of the engine before {@link #flush} loses written data; {@link #appliedOffset} after
 * opening then says where to continue.
 *
 * <p>{@code apply}, {@code write} and {@code flush} belong to one thread at a time; {@link
 * #markCaughtUp}, {@link #state} and the view are thread-safe.
 */
public final class PartitionStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionStore.class);

    private static final int MAX_BATCH_ENTRIES = 10_000;
    private static final long MAX_BATCH_BYTES = 4L << 20;

    /** Room for the largest object before and after a change. */
    private static final long RECENT_BYTES = 4L << 20;

    private final int partition;
    private final KeyValueEngine engine;
    private final FoldState state;
    private final RecentChanges recent;
    private final TopicFold fold;
    private final LocalPartitionView view;

    /**
     * Guards everything mutable below and {@link #state}; only {@link #markCaughtUp} ever contends.
     */
    private final ReentrantLock lock = new ReentrantLock();

    private WriteBatch batch = new WriteBatch();
    private long writtenOffset;

    /** Read without the lock, which a writer holds for as long as the disk takes. */
    private volatile long appliedOffset;

    /** Whether a write failed, on a full disk for example: more is applied than written. */
    private boolean unwritten;

    private long malformed;
    private boolean behind;
    private boolean closed;

    PartitionStore(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            InstantSource clock,
            ReadExecutor gate,
            ScanLimits limits,
            RecentChanges recent,
            boolean behind) {
        this.partition = partition;
        this.engine = engine;
        this.recent = recent;
        this.behind = behind;
        this.state = FoldState.decode(engine.get(Family.META, KeyLayout.STATE));
        this.writtenOffset = state.appliedOffset;
        this.appliedOffset = state.appliedOffset;
        this.fold = new TopicFold(partition, engine, settings, clock, state, recent);
        this.view = new LocalPartitionView(partition, engine, settings, gate, limits, recent);
        publish();
    }

    /**
     * Opens a store over what the engine holds.
     *
     * @param behind whether the topic may contain more than the store: the store is not ready until
     *     {@link #markCaughtUp} is called
     */
    public static PartitionStore open(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            InstantSource clock,
            ReadExecutor gate,
            boolean behind) {
        return open(
                partition,
                engine,
                settings,
                clock,
                gate,
                ScanLimits.DEFAULT,
                new RecentChanges(RecentChanges.MAX_CHANGES, RECENT_BYTES),
                behind);
    }

    /**
     * The same with other limits.
     *
     * @param limits of one page that is read from the engine
     * @param recent keeps the newest changes, for this store only
     */
    public static PartitionStore open(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            InstantSource clock,
            ReadExecutor gate,
            ScanLimits limits,
            RecentChanges recent,
            boolean behind) {
        return new PartitionStore(partition, engine, settings, clock, gate, limits, recent, behind);
    }

    /**
     * Clears an engine that was built for another layout or another topic, and records the present
     * ones; rebuilds an index that is not the present one. To be called before {@link #open}.
     *
     * @param source identifies the mirrored topic, such as its topic id
     * @return what existing data that was cleared had been built for; empty if nothing was cleared
     */
    public static Optional<String> prepare(
            KeyValueEngine engine, StoreSettings settings, String source) {
        return StoreFormat.prepare(engine, settings, source);
    }

    /**
     * Applies a raw record of the topic; logs and skips one that breaks the contract.
     *
     * @throws NewerFormatException if a later release wrote it; nothing has changed then
     */
    public void applyRecord(
            byte @Nullable [] key,
            byte @Nullable [] value,
            ChangeCodec.HeaderLookup headers,
            long offset,
            long timestampMillis) {
        Change change;
        try {
            change = ChangeCodec.decode(key, value, headers);
        } catch (MalformedRecordException e) {
            skip(offset, e);
            return;
        }
        apply(change, offset, timestampMillis);
    }

    private void skip(long offset, MalformedRecordException why) {
        lock.lock();
        try {
            if (offset <= state.appliedOffset) {
                return;
            }
            LOG.warn(
                    "partition {} offset {}: skipped a malformed record: {}",
                    partition,
                    offset,
                    why.getMessage());
            malformed++;
            state.appliedOffset = offset;
            appliedOffset = offset;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Applies one change. Throws only when the engine fails, never because of the change's content.
     *
     * @param offset of its record in the topic
     * @param timestampMillis the broker's time of its record
     */
    public void apply(Change change, long offset, long timestampMillis) {
        lock.lock();
        try {
            fold.apply(batch, change, offset, timestampMillis);
            appliedOffset = state.appliedOffset;
            if (change instanceof TideMark
                    || batch.entries() >= MAX_BATCH_ENTRIES
                    || batch.bytes() >= MAX_BATCH_BYTES) {
                writeAndPublish();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes the batch, with the offset; publishes no new watermark. */
    public void write() {
        lock.lock();
        try {
            if (state.appliedOffset != writtenOffset || !batch.isEmpty()) {
                writeAndPublish();
            }
        } finally {
            lock.unlock();
        }
    }

    private void writeAndPublish() {
        if (closed) {
            throw new IllegalStateException("partition " + partition + " is closed");
        }
        batch.put(Family.META, KeyLayout.STATE, Bytes.wrap(state.encode()));
        unwritten = true;
        engine.write(batch);
        state.markWritten();
        unwritten = false;
        batch = new WriteBatch();
        writtenOffset = state.appliedOffset;
        publish();
    }

    /** Writes, and returns once everything is durable. */
    public void flush() {
        lock.lock();
        try {
            writeAndPublish();
            engine.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Starts a {@link #flush} without waiting for it. */
    public void flushSoon() {
        lock.lock();
        try {
            writeAndPublish();
            engine.flushSoon();
        } finally {
            lock.unlock();
        }
    }

    /** Drops everything, the applied offset included: to be filled again from the topic's start. */
    public void reset() {
        lock.lock();
        try {
            fold.reset(batch);
            appliedOffset = state.appliedOffset;
            behind = true;
            writeAndPublish();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Resets a store whose last mark is older than the topic keeps deletes: one that it has not
     * applied may have been compacted away.
     *
     * @param deleteRetention how long the topic keeps the record of a delete at least
     * @return how old the last mark is, if that is too old
     */
    public Optional<Duration> resetIfOlderThan(Duration deleteRetention, long nowMillis) {
        lock.lock();
        try {
            Duration age = Duration.ofMillis(nowMillis - state.markTimeMillis);
            if (state.markTimeMillis <= 0 || age.compareTo(deleteRetention) <= 0) {
                return Optional.empty();
            }
            reset();
            return Optional.of(age);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops all data, because records between the last one applied and the next are lost with
     * unknown content. The store is not ready until the connector has relisted.
     *
     * @param beforeOffset of the next record
     */
    public void recordsLost(long beforeOffset) {
        lock.lock();
        try {
            LOG.warn(
                    "partition {}: records between offset {} and {} are lost; this replica is not"
                            + " ready until a list follows",
                    partition,
                    state.appliedOffset,
                    beforeOffset);
            fold.invalidate(batch);
            behind = true;
            writeAndPublish();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Whether it has read the whole topic without finding the list that it needs; {@link #state}
     * has that list's epoch.
     */
    public boolean needsList() {
        lock.lock();
        try {
            return !closed && !behind && state.lacksList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the topic's end offset: the times of records appended from then on show how far this
     * machine's clock is ahead of the broker's.
     *
     * @param askedMillis what this machine's clock showed before the request for the end offset
     */
    public void observeTopicEnd(long atOffset, long askedMillis) {
        lock.lock();
        try {
            fold.clock().observeEnd(atOffset, askedMillis);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Marks that the store has applied all that the topic held when it was opened, or later. Does
     * nothing while an applied change could not be written: readers would not find it.
     */
    public void markCaughtUp() {
        lock.lock();
        try {
            if (!unwritten && (behind || fold.mayBeIncomplete())) {
                behind = false;
                fold.markCaughtUp();
                publish();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has caught up; false again after {@link #recordsLost} or a reset. */
    public boolean isCaughtUp() {
        lock.lock();
        try {
            return !behind && !fold.mayBeIncomplete();
        } finally {
            lock.unlock();
        }
    }

    /** The changes before the state: readers that the state wakes find them. */
    private void publish() {
        fold.publishChanges();
        view.publish(state.publish(!behind && !fold.mayBeIncomplete() && !closed));
    }

    /** Reads of this store; after {@link #close} they answer that the replica is unavailable. */
    public PartitionView view() {
        return view;
    }

    /**
     * The next page, in key order, of the keys and revisions in the engine, as of one revision of
     * one epoch.
     */
    public ReadOutcome<KeysPage> keys(KeysRequest request) {
        return view.keys(request);
    }

    /** The forms of objects that the engine holds, each with all keys. */
    public List<Projection> forms() {
        return view.forms();
    }

    /** Why a read found the data corrupt; empty when none did. */
    public String fault() {
        return view.fault();
    }

    /** The published state, as {@link #view} shows it. */
    public PartitionState state() {
        return view.state();
    }

    /** Offset of the newest record applied, written or not; -1 for none. */
    public long appliedOffset() {
        return appliedOffset;
    }

    /** Offset of the newest written record; -1 for none. */
    public long writtenOffset() {
        lock.lock();
        try {
            return writtenOffset;
        } finally {
            lock.unlock();
        }
    }

    /** Records skipped since the store was opened because they break the topic's contract. */
    long malformedRecords() {
        lock.lock();
        try {
            return malformed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends reads, writes the batch, flushes, and closes the engine. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            view.close();
            try {
                writeAndPublish();
            } finally {
                closed = true;
                publish();
                recent.clear();
                engine.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
