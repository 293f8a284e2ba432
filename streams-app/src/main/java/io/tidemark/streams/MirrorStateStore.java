package io.tidemark.streams;

import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.jspecify.annotations.Nullable;

/**
 * One partition's store in Streams' hands. It manages its own offsets: they are in the same write
 * as the data, so after a crash it goes on exactly behind what was flushed. Live records come
 * through {@link #apply}, restored ones and those of a standby through the restore callback; both
 * end in the same place.
 */
final class MirrorStateStore implements StateStore {
    static final String NAME = "mirror";

    private final StoreContext shared;

    /** Null until Streams says which partition it is. */
    private volatile @Nullable RebuildableStore feed;

    MirrorStateStore(StoreContext shared) {
        this.shared = shared;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void init(StateStoreContext context, StateStore root) {
        RebuildableStore begun =
                new RebuildableStore(
                        shared,
                        context.taskId().partition(),
                        context.stateDir().toPath().resolve(NAME));
        begun.begin();
        feed = begun;
        RecordBatchingStateRestoreCallback restore = this::restore;
        context.register(root, restore);
    }

    private void restore(Collection<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> each : records) {
            apply(DeliveredRecord.of(each));
        }
    }

    void apply(DeliveredRecord each) {
        feed().apply(each);
    }

    /** An empty map means that Streams found the offsets wrong: all that is here is void then. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty()) {
            feed().reset();
        } else {
            feed().commit();
        }
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition changelog) {
        RebuildableStore now = feed;
        return now == null ? null : now.writtenOffset();
    }

    /** Asked by Streams 4.3 and to go in a later one. */
    @Override
    @Deprecated
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public void close() {
        RebuildableStore now = feed;
        if (now != null) {
            now.close();
        }
    }

    @Override
    public boolean persistent() {
        return true;
    }

    @Override
    public boolean isOpen() {
        RebuildableStore now = feed;
        return now != null && now.isOpen();
    }

    private RebuildableStore feed() {
        RebuildableStore now = feed;
        if (now == null) {
            throw new IllegalStateException("not initialised");
        }
        return now;
    }
}
