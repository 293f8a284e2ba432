package io.tidemark.streams;

import io.tidemark.store.PartitionStore;
import io.tidemark.store.rocksdb.RocksEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
 */
final class MirrorStateStore implements StateStore {
    static final String NAME = "mirror";
    private static final Logger LOG = LoggerFactory.getLogger(MirrorStateStore.class);

    /** What is not flushed after this time is flushed; a crash costs reading it again. */
    private static final Duration FLUSH_EVERY = Duration.ofSeconds(60);

    private final StoreContext shared;
    private int partition = -1;
    private @Nullable PartitionStore store;
    private long nextFlushMillis;

    MirrorStateStore(StoreContext shared) {
        this.shared = shared;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        partition = context.taskId().partition();
        PartitionStore opened = open(context.stateDir().toPath().resolve(NAME));
        store = opened;
        nextFlushMillis = shared.clock().millis() + FLUSH_EVERY.toMillis();
        RecordBatchingStateRestoreCallback restore = this::restore;
        context.register(root, restore);
        shared.open().opened(partition, opened);
    }

    private PartitionStore open(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make " + folder, e);
        }
        RocksEngine engine = RocksEngine.open(folder, shared.memory());
        try {
            if (PartitionStore.prepare(engine, shared.store(), shared.source())) {
                LOG.warn("partition {}: built for something else, starts from nothing", partition);
            }
            PartitionStore opened =
                    PartitionStore.open(
                            partition, engine, shared.store(), shared.clock(), shared.gate(), true);
            voidIfAwayTooLong(opened);
            return opened;
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }

    /** A delete that it missed may have been compacted away since, and would never be seen. */
    private void voidIfAwayTooLong(PartitionStore opened) {
        long markTime = opened.state().markTimeMillis();
        Duration away = Duration.ofMillis(shared.clock().millis() - markTime);
        if (markTime > 0 && away.compareTo(shared.deleteRetention()) > 0) {
            LOG.warn(
                    "partition {}: last followed {} ago, longer than deletes are kept: starts from"
                            + " nothing",
                    partition,
                    away);
            opened.reset();
        }
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
        requireOpen().applyRecord(key, value, name -> find(headers, name), offset, timestampMillis);
    }

    private static byte @Nullable [] find(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null ? null : header.value();
    }

    /** An empty map means that Streams found the offsets wrong: all that is here is void then. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        PartitionStore open = requireOpen();
        if (changelogOffsets.isEmpty()) {
            LOG.warn(
                    "partition {}: its offsets are not in the topic any more, starts from nothing",
                    partition);
            open.reset();
            return;
        }
        open.write();
        long now = shared.clock().millis();
        if (now >= nextFlushMillis) {
            nextFlushMillis = now + FLUSH_EVERY.toMillis();
            open.flushSoon();
        }
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition changelog) {
        PartitionStore open = store;
        long written = open == null ? -1 : open.writtenOffset();
        return written < 0 ? null : written;
    }

    /** Asked by Streams 4.3 and to go in a later one. */
    @Override
    @Deprecated
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public void close() {
        PartitionStore closing = store;
        if (closing != null) {
            store = null;
            shared.open().closing(partition, closing);
            closing.close();
        }
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        return store != null;
    }

    private PartitionStore requireOpen() {
        PartitionStore open = store;
        if (open == null) {
            throw new IllegalStateException("partition " + partition + " is not open");
        }
        return open;
    }
}
