package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.ChangeCodec;
import io.tidemark.record.MalformedRecordException;
import io.tidemark.store.KeyValueEngine.Family;
import io.tidemark.view.KeysPage;
import io.tidemark.view.KeysRequest;
import io.tidemark.view.PartitionState;
import io.tidemark.view.PartitionView;
import io.tidemark.view.ReadOutcome;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition of the mirror topic, folded: the state at every revision between floor and
 * watermark, and the changes between any two of them. {@link #apply} is the only way in, live, on
 * restore and on a standby alike. Whatever came before is dropped, so any part of the topic may be
 * applied again.
 *
 * <p>Changes gather in a batch, which is written at a tide mark (or when it is big), together with
 * the offset it reaches to. What readers are shown moves on only with a mark, after its batch is
 * written. Nothing that was written is lost but by a crash of the engine before its {@link #flush};
 * then {@link #appliedOffset} after opening says where to go on from.
 *
 * <p>{@code apply}, {@code write} and {@code flush} belong to one thread at a time; {@link
 * #markCaughtUp}, {@link #state} and the view may be used from any.
 */
public final class PartitionStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionStore.class);

    private static final int MAX_BATCH_ENTRIES = 10_000;
    private static final long MAX_BATCH_BYTES = 4L << 20;

    private final int partition;
    private final KeyValueEngine engine;
    private final FoldState state;
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

    /** Whether a write was refused, by a full disk say: what is applied is more than is there. */
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
            boolean behind) {
        this.partition = partition;
        this.engine = engine;
        this.behind = behind;
        this.state = FoldState.decode(engine.get(Family.META, KeyLayout.STATE));
        this.writtenOffset = state.appliedOffset;
        this.appliedOffset = state.appliedOffset;
        this.fold = new TopicFold(partition, engine, settings, clock, state);
        this.view = new LocalPartitionView(partition, engine, settings, gate, limits);
        publish();
    }

    /**
     * Opens a store over what the engine holds.
     *
     * @param behind whether the topic may hold more than the store does: it is not ready then until
     *     {@link #markCaughtUp} is called
     */
    public static PartitionStore open(
            int partition,
            KeyValueEngine engine,
            StoreSettings settings,
            InstantSource clock,
            ReadExecutor gate,
            boolean behind) {
        return new PartitionStore(
                partition, engine, settings, clock, gate, ScanLimits.DEFAULT, behind);
    }

    /**
     * Voids what the engine holds when it was built for something else (another layout, another
     * topic), and notes what it is for now; builds its index anew when other ones are declared. To
     * be called before {@link #open}.
     *
     * @param source the topic this store mirrors, such as its id
     * @return whether anything was voided
     */
    public static boolean prepare(KeyValueEngine engine, StoreSettings settings, String source) {
        return StoreFormat.prepare(engine, settings, source);
    }

    /** Applies a record of the topic as it is; one that breaks the contract is told and skipped. */
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
            LOG.warn(
                    "partition {} offset {}: skipped a malformed record: {}",
                    partition,
                    offset,
                    e.getMessage());
            skip(offset);
            return;
        }
        apply(change, offset, timestampMillis);
    }

    private void skip(long offset) {
        lock.lock();
        try {
            malformed++;
            state.appliedOffset = Math.max(state.appliedOffset, offset);
            appliedOffset = state.appliedOffset;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Folds one change in. Never throws, whatever the change says; an engine that fails throws.
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

    /** Writes what has gathered, with the offset; readers see no more than before. */
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
        unwritten = false;
        batch = new WriteBatch();
        writtenOffset = state.appliedOffset;
        publish();
    }

    /** Writes, and returns once a crash can no longer take it away. */
    public void flush() {
        lock.lock();
        try {
            writeAndPublish();
            engine.flush();
        } finally {
            lock.unlock();
        }
    }

    /** Begins what {@link #flush} does, and does not wait for it. */
    public void flushSoon() {
        lock.lock();
        try {
            writeAndPublish();
            engine.flushSoon();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything, the place in the topic included: to be filled again from its start. */
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
     * Says that records are lost which lie between the last one applied and the next, and that
     * nobody knows what they said. What is here cannot be shown any more; the next list fills it.
     *
     * @param beforeOffset of the next record
     */
    public void recordsLost(long beforeOffset) {
        lock.lock();
        try {
            LOG.warn(
                    "partition {}: records between offset {} and {} are lost, this copy is void"
                            + " until a list follows",
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
     * Whether it has read all there is, and the list that it needs is not in the topic. {@link
     * #state} says of which epoch it would be.
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
     * Says where the topic ended: by what is appended from then on the store can tell how far its
     * clock is ahead of the broker's.
     *
     * @param askedMillis what its clock showed before the topic was asked
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
     * Says that the store has applied all that the topic held when it was opened, or later. Does
     * nothing while what was applied could not be written: it would be shown and not be there.
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

    /** Whether there is no need of {@link #markCaughtUp} for it to be ready. */
    public boolean isCaughtUp() {
        lock.lock();
        try {
            return !behind && !fold.mayBeIncomplete();
        } finally {
            lock.unlock();
        }
    }

    private void publish() {
        view.publish(state.publish(!behind && !fold.mayBeIncomplete() && !closed));
    }

    public PartitionView view() {
        return view;
    }

    /**
     * The next page, in key order, of the keys and revisions of the objects as they lie in the
     * engine, as of one revision of one history.
     */
    public ReadOutcome<KeysPage> keys(KeysRequest request) {
        return view.keys(request);
    }

    /** Why a read found that the data cannot be trusted any more; empty when none did. */
    public String fault() {
        return view.fault();
    }

    public PartitionState state() {
        return view.state();
    }

    /** Offset of the newest record applied, written or not; -1 for none. */
    public long appliedOffset() {
        return appliedOffset;
    }

    /** Offset of the newest record that was written; -1 for none. */
    public long writtenOffset() {
        lock.lock();
        try {
            return writtenOffset;
        } finally {
            lock.unlock();
        }
    }

    /** Records skipped since it was opened because they break the topic's contract. */
    public long malformedRecords() {
        lock.lock();
        try {
            return malformed;
        } finally {
            lock.unlock();
        }
    }

    /** Ends reads, writes what has gathered, flushes, and closes the engine. */
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
                engine.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
