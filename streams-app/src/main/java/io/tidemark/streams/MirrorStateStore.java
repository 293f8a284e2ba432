package io.tidemark.streams;

import io.tidemark.store.EngineException;
import io.tidemark.store.PartitionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One partition's store in Streams' hands. It manages its own offsets: they are in the same write
 * as the data, so after a crash it goes on exactly behind what was flushed. Live records come
 * through {@link #apply}, restored ones and those of a standby through the restore callback; both
 * end in the same place.
 *
 * <p>Its data may be found wrong while it is in use. It is put aside then, an empty store takes its
 * place, and a {@link Refill} reads the partition again; Streams notices nothing of it.
 */
final class MirrorStateStore implements StateStore, Refill.Owner {
    static final String NAME = "mirror";
    private static final Logger LOG = LoggerFactory.getLogger(MirrorStateStore.class);

    /** What is not flushed after this time is flushed; a crash costs reading it again. */
    private static final Duration FLUSH_EVERY = Duration.ofSeconds(60);

    /** From one that a failed write has begun to the next. */
    private static final Duration BETWEEN_REBUILDS = Duration.ofMinutes(1);

    private final StoreContext shared;

    /** Guards all below. Streams' threads and a refill meet here; hardly ever. */
    private final ReentrantLock lock = new ReentrantLock();

    private int partition = -1;
    private StoreFolder folder;
    private @Nullable PartitionStore store;
    private @Nullable Refill refill;
    private @Nullable RuntimeException failure;

    /** Offset of the newest record that Streams has delivered, applied or dropped. */
    private long delivered = -1;

    private long nextFlushMillis;
    private long rebuiltMillis;

    MirrorStateStore(StoreContext shared) {
        this.shared = shared;
        this.folder = new StoreFolder(shared, partition, Path.of("")); // Until it is told where.
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        partition = context.taskId().partition();
        PartitionStore opened;
        lock.lock();
        try {
            folder = new StoreFolder(shared, partition, context.stateDir().toPath().resolve(NAME));
            opened = folder.open();
            store = opened;
            failure = null;
            delivered = opened.appliedOffset();
            nextFlushMillis = shared.clock().millis() + FLUSH_EVERY.toMillis();
        } finally {
            lock.unlock();
        }
        RecordBatchingStateRestoreCallback restore = this::restore;
        context.register(root, restore);
        shared.open().opened(partition, opened, this::rebuild);
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> each : records) {
            apply(each.key(), each.value(), each.headers(), each.offset(), each.timestamp());
        }
    }

    void apply(
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            long offset,
            long timestampMillis) {
        lock.lock();
        try {
            PartitionStore open = requireOpen();
            delivered = Math.max(delivered, offset);
            if (refill == null) {
                take(open, key, value, headers, offset, timestampMillis);
            }
        } catch (EngineException e) {
            rebuildOrThrow(e);
        } finally {
            lock.unlock();
        }
    }

    private void take(
            PartitionStore into,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Headers headers,
            long offset,
            long timestampMillis) {
        if (shared.passed().isBetween(partition, into.appliedOffset(), offset)) {
            into.recordsLost(offset);
        }
        into.applyRecord(key, value, name -> find(headers, name), offset, timestampMillis);
    }

    /** By what cannot be written any more; not again and again, should the disk be at fault. */
    private void rebuildOrThrow(EngineException e) {
        PartitionStore wrong = store;
        long now = shared.clock().millis();
        boolean soon = now - rebuiltMillis < BETWEEN_REBUILDS.toMillis();
        if (!e.isBroken() || wrong == null || soon || !rebuild(wrong, StoreFolder.reason(e))) {
            throw e;
        }
    }

    /** Puts this store's data aside, and begins to read it from the topic again. */
    private boolean rebuild(PartitionStore wrong, String why) {
        lock.lock();
        try {
            if (store != wrong) {
                return false;
            }
            LOG.warn("partition {}: is rebuilt from the topic: {}", partition, why);
            rebuiltMillis = shared.clock().millis();
            folder.condemn();
            shared.open().closing(partition, wrong);
            store = null;
            refill = null;
            folder.close(wrong);
            PartitionStore empty = folder.open();
            store = empty;
            Refill begun = new Refill(partition, empty, shared.topic(), this);
            refill = begun;
            begun.start();
            shared.open().opened(partition, empty, this::rebuild);
            return true;
        } catch (RuntimeException e) {
            // Streams is told at its next call, and opens the folder anew in its own way.
            LOG.error("partition {}: cannot be rebuilt in place", partition, e);
            failure = e;
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOver(Refill asking) {
        return locked(() -> refill != asking);
    }

    @Override
    public boolean refill(Refill asking, ConsumerRecords<byte[], byte[]> records, long position) {
        lock.lock();
        try {
            if (refill != asking) {
                return false;
            }
            for (ConsumerRecord<byte[], byte[]> each : records) {
                take(
                        asking.store(),
                        each.key(),
                        each.value(),
                        each.headers(),
                        each.offset(),
                        each.timestamp());
            }
            if (position > delivered) {
                refill = null;
                asking.store().flushSoon();
            }
            return refill == asking;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void failed(Refill asking, RuntimeException why) {
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

    private static byte @Nullable [] find(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null ? null : header.value();
    }

    /** An empty map means that Streams found the offsets wrong: all that is here is void then. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        lock.lock();
        try {
            PartitionStore open = requireOpen();
            if (changelogOffsets.isEmpty()) {
                LOG.warn(
                        "partition {}: its offsets are not in the topic any more, starts from"
                                + " nothing",
                        partition);
                refill = null; // Streams delivers everything again.
                delivered = -1;
                open.reset();
                return;
            }
            open.write();
            long now = shared.clock().millis();
            if (now >= nextFlushMillis) {
                nextFlushMillis = now + FLUSH_EVERY.toMillis();
                open.flushSoon();
            }
        } catch (EngineException e) {
            rebuildOrThrow(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition changelog) {
        lock.lock();
        try {
            PartitionStore open = store;
            long written = open == null ? -1 : open.writtenOffset();
            return written < 0 ? null : written;
        } finally {
            lock.unlock();
        }
    }

    /** Asked by Streams 4.3 and to go in a later one. */
    @Override
    @Deprecated
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public void close() {
        lock.lock();
        try {
            PartitionStore closing = store;
            refill = null;
            if (closing != null) {
                store = null;
                shared.open().closing(partition, closing);
                shared.closer().close(() -> folder.close(closing));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return locked(() -> store != null || failure != null);
    }

    private boolean locked(BooleanSupplier question) {
        lock.lock();
        try {
            return question.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    private PartitionStore requireOpen() {
        RuntimeException why = failure;
        if (why != null) {
            throw new IllegalStateException("partition " + partition + " was not rebuilt", why);
        }
        PartitionStore open = store;
        if (open == null) {
            throw new IllegalStateException("partition " + partition + " is not open");
        }
        return open;
    }
}
