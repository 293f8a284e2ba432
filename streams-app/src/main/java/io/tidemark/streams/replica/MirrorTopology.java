package io.tidemark.streams.replica;

import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The Streams topology: the mirror topic is read into its store, which is restored from the same
 * topic. Tidemark creates and writes no other topic.
 */
public final class MirrorTopology {
    private MirrorTopology() {}

    /**
     * @param shared settings and parts of all stores of this node
     */
    public static Topology of(String topic, StoreContext shared) {
        return new Topology()
                .addReadOnlyStateStore(
                        new Builder(shared),
                        "mirror-topic",
                        // Never negative: Streams drops records with a negative timestamp.
                        (each, _) -> Math.max(0, each.timestamp()),
                        new ByteArrayDeserializer(),
                        new ByteArrayDeserializer(),
                        topic,
                        "apply",
                        ApplyChanges::new);
    }

    private static final class ApplyChanges implements Processor<byte[], byte[], Void, Void> {
        private @Nullable ProcessorContext<Void, Void> context;
        private @Nullable MirrorStateStore store;

        @Override
        public void init(ProcessorContext<Void, Void> given) {
            context = given;
            store = given.getStateStore(MirrorStateStore.NAME);
        }

        @Override
        public void process(Record<byte[], byte[]> each) {
            if (context == null || store == null) {
                throw new IllegalStateException("not initialised");
            }
            long offset = context.recordMetadata().orElseThrow().offset();
            store.applyLive(
                    new DeliveredRecord(
                            each.key(), each.value(), each.headers(), offset, each.timestamp()));
        }
    }

    /** Without logging and caching: the topic is the store's log. */
    private record Builder(StoreContext shared) implements StoreBuilder<MirrorStateStore> {
        @Override
        public StoreBuilder<MirrorStateStore> withCachingEnabled() {
            return this;
        }

        @Override
        public StoreBuilder<MirrorStateStore> withCachingDisabled() {
            return this;
        }

        @Override
        public StoreBuilder<MirrorStateStore> withLoggingEnabled(Map<String, String> config) {
            return this;
        }

        @Override
        public StoreBuilder<MirrorStateStore> withLoggingDisabled() {
            return this;
        }

        @Override
        public MirrorStateStore build() {
            return new MirrorStateStore(shared);
        }

        @Override
        public Map<String, String> logConfig() {
            return Map.of();
        }

        @Override
        public boolean loggingEnabled() {
            return false;
        }

        @Override
        public String name() {
            return MirrorStateStore.NAME;
        }
    }
}
