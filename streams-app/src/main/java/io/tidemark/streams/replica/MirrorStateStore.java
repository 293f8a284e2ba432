package io.tidemark.streams.replica;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.jspecify.annotations.Nullable;

/**
 * One partition's store as a Streams state store. It manages its offsets itself: they are in the
 * same write as the data, so after a crash it continues exactly after what was flushed. Live
 * records arrive through {@link #applyLive}, those of a restore or a standby through {@link
 * ReadAhead}, which calls {@link #apply}.
 */
final class MirrorStateStore implements StateStore, ReadAhead.Target {
    static final String NAME = "mirror";

    private final StoreContext shared;

    private volatile int partition;

    /** Null until Streams has called {@link #init}, which sets the partition too. */
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
        partition = context.taskId().partition();
        RebuildableStore begun =
                new RebuildableStore(shared, partition, context.stateDir().toPath().resolve(NAME));
        begun.begin();
        feed = begun;
        shared.ahead().opened(partition, this);
        // What Streams restores, ReadAhead has applied.
        context.register(root, (_, _) -> {});
    }

    @Override
    public void apply(DeliveredRecord each) {
        feed().apply(each);
    }

    @Override
    public void appliedThrough(long offset) {
        feed().appliedThrough(offset);
    }

    void applyLive(DeliveredRecord each) {
        feed().applyLive(each);
    }

    /** An empty map means that Streams found the offsets invalid: the store is then reset. */
    @Override
    public void commit(Map<TopicPartition, Long> changelogOffsets) {
        if (changelogOffsets.isEmpty()) {
            feed().reset();
        } else {
            changelogOffsets.values().forEach(each -> shared.commits().processed(partition, each));
            feed().commit();
        }
    }

    @Override
    public @Nullable Long committedOffset(TopicPartition changelog) {
        RebuildableStore now = feed;
        Long written = now == null ? null : now.writtenOffset();
        return written == null ? null : shared.commits().atMost(partition, written);
    }

    /** Called by Streams 4.3; to be removed in a later version. */
    @Override
    @Deprecated
    public boolean managesOffsets() {
        return true;
    }

    @Override
    public void close() {
        RebuildableStore now = feed;
        if (now != null) {
            shared.ahead().closed(partition, this);
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
