package io.tidemark.streams;

import io.tidemark.record.secret.KeyRing;
import io.tidemark.store.layout.IndexSettings;
import io.tidemark.store.layout.StoreSettings;
import io.tidemark.view.object.ProtobufEncoding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of a {@link StreamsNode}.
 *
 * @param bootstrapServers Kafka's addresses, HOST:PORT with commas between
 * @param topic the mirror topic
 * @param applicationId the consumer group; nodes with the same one share the partitions
 * @param stateDirectory where the stores lie; may be lost, nodes rebuild it from the topic
 * @param historyWindow how long a change can be read back; the topic's compaction lag should not be
 *     shorter
 * @param maxHistoryBytes bytes on disk for the history of one partition; above it the oldest
 *     changes are compacted early
 * @param standbys replicas of each partition besides the active one; a standby answers reads, and
 *     takes over at once
 * @param advertise where other nodes reach this one, as HOST:PORT; empty when they do not read from
 *     it
 * @param indexes which labels and fields are indexed
 * @param blockCacheBytes native memory of this process for blocks read from disk, unflushed writes
 *     included
 * @param writeBufferBytes how much of that may be unflushed writes
 * @param kafka further client settings, such as TLS; they override this node's. Prefixed ones such
 *     as {@code main.consumer.} apply to that client only
 * @param secretKeys decrypt Secrets of the topic, and encrypt them on disk; empty to have none
 * @param protobuf makes the protobuf form that stores keep beside the JSON; empty to keep JSON only
 */
public record StreamsSettings(
        String bootstrapServers,
        String topic,
        String applicationId,
        Path stateDirectory,
        Duration historyWindow,
        long maxHistoryBytes,
        int standbys,
        String advertise,
        IndexSettings indexes,
        long blockCacheBytes,
        long writeBufferBytes,
        Map<String, Object> kafka,
        Optional<Supplier<KeyRing>> secretKeys,
        Optional<ProtobufEncoding> protobuf) {
    private static final String DEFAULT_TOPIC = "tidemark";
    public static final String DEFAULT_APPLICATION_ID = "tidemark";
    public static final long DEFAULT_MAX_HISTORY_BYTES = 1L << 30;
    public static final long DEFAULT_BLOCK_CACHE_BYTES = 256L << 20;
    public static final long DEFAULT_WRITE_BUFFER_BYTES = 128L << 20;

    public StreamsSettings {
        kafka = Map.copyOf(kafka);
        requireText("bootstrap servers", bootstrapServers);
        requireText("topic", topic);
        requireText("application id", applicationId);
        if (!historyWindow.isPositive()) {
            throw new IllegalArgumentException("history window: " + historyWindow);
        }
        if (maxHistoryBytes < 1) {
            throw new IllegalArgumentException("max history bytes: " + maxHistoryBytes);
        }
        if (standbys < 0) {
            throw new IllegalArgumentException("standbys: " + standbys);
        }
        if (blockCacheBytes < 1 << 20 || writeBufferBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "block cache of %d bytes, write buffers of %d bytes: a MiB each at least"
                            .formatted(blockCacheBytes, writeBufferBytes));
        }
    }

    /** Without keys. */
    public StreamsSettings(
            String bootstrapServers,
            String topic,
            String applicationId,
            Path stateDirectory,
            Duration historyWindow,
            long maxHistoryBytes,
            int standbys,
            String advertise,
            IndexSettings indexes,
            long blockCacheBytes,
            long writeBufferBytes,
            Map<String, Object> kafka) {
        this(
                bootstrapServers,
                topic,
                applicationId,
                stateDirectory,
                historyWindow,
                maxHistoryBytes,
                standbys,
                advertise,
                indexes,
                blockCacheBytes,
                writeBufferBytes,
                kafka,
                Optional.empty(),
                Optional.empty());
    }

    /** The defaults, for a topic on {@code bootstrapServers}. */
    public static StreamsSettings of(String bootstrapServers, Path stateDirectory) {
        return new StreamsSettings(
                bootstrapServers,
                DEFAULT_TOPIC,
                DEFAULT_APPLICATION_ID,
                stateDirectory,
                StoreSettings.DEFAULT_HISTORY_WINDOW,
                DEFAULT_MAX_HISTORY_BYTES,
                0,
                "",
                IndexSettings.DEFAULT,
                DEFAULT_BLOCK_CACHE_BYTES,
                DEFAULT_WRITE_BUFFER_BYTES,
                Map.of(),
                Optional.empty(),
                Optional.empty());
    }

    private static void requireText(String what, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("no " + what);
        }
    }
}
