package io.tidemark.streams;

import io.tidemark.streams.group.ReplicaAssignor;
import io.tidemark.streams.group.SessionTimeoutResolver;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.StreamsConfig;

/** Client properties, each with its reason. The user's properties come last and win. */
final class KafkaSetup {
    /** Heartbeats in one session timeout. A heartbeat tells a node that the group rebalances. */
    private static final int HEARTBEATS = 12;

    /** The same in a long session: a rebalance of others must not wait for this node. */
    private static final int LONGEST_HEARTBEAT_MILLIS = 500;

    /** A node reconnects to a returned broker within this, before its session times out. */
    private static final int RECONNECT_PAUSE_MAX_MILLIS = 200;

    private static final int RESTORE_FETCH_WAIT_MILLIS = 50;

    /** In records; an active may write thousands a second. */
    private static final long SMALL_LAG = 2_000;

    private KafkaSetup() {}

    static Properties streams(StreamsSettings settings, TopicFacts facts) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, settings.applicationId());
        properties.put(
                StreamsConfig.STATE_DIR_CONFIG,
                settings.stateDirectory().toAbsolutePath().toString());
        properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, settings.standbys());
        if (!settings.advertise().isEmpty()) {
            properties.put(StreamsConfig.APPLICATION_SERVER_CONFIG, settings.advertise());
        }
        // A replica that moves from one thread to another is closed and opened between, and cannot
        // be read meanwhile; and each thread is a group member that a rebalance waits for.
        properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        // What an active processed and did not commit, the next one reads again and drops. The lag
        // of a standby is known to the assignor as of its last commits.
        properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1_000);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
        properties.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, "classic");
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0);
        properties.put(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, ReplicaAssignor.class.getName());
        properties.put(
                ReplicaAssignor.PreviousPlacement.SETTING, new ReplicaAssignor.PreviousPlacement());
        // A replica that lags by no more than this takes over within moments.
        properties.put(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, SMALL_LAG);
        properties.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        // Kafka Streams makes a producer, which nothing uses. An idempotent one asks for an id at
        // once, and again without a pause while the node has no right to write, as it should.
        properties.put(
                StreamsConfig.PRODUCER_PREFIX + ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
        properties.put(
                CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_PAUSE_MAX_MILLIS);
        for (String prefix :
                new String[] {
                    StreamsConfig.MAIN_CONSUMER_PREFIX, StreamsConfig.RESTORE_CONSUMER_PREFIX
                }) {
            // Tide marks make changes visible, not commits; see the design.
            properties.put(prefix + ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
            // The thread that takes partitions over waits until the thread that restores replicas
            // has finished its batch.
            properties.put(prefix + ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
            properties.put(prefix + ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        }
        if (settings.standbys() == 0) {
            // It reads for restores only. A partition that is added to it waits for the fetch of
            // those before it, which have reached their ends.
            properties.put(
                    StreamsConfig.RESTORE_CONSUMER_PREFIX + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                    RESTORE_FETCH_WAIT_MILLIS);
        }
        int session = (int) facts.session().toMillis();
        properties.put(SessionTimeoutResolver.CLIENT_SETTING, session);
        properties.put(
                StreamsConfig.MAIN_CONSUMER_PREFIX + ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                Math.min(session / HEARTBEATS, LONGEST_HEARTBEAT_MILLIS));
        properties.putAll(settings.kafka());
        return properties;
    }

    /**
     * Whether Streams leaves the folders of the state directory alone when it starts. The user may
     * have it delete the old ones then, or those of a process that was killed.
     */
    static boolean keepsStateFolders(StreamsSettings settings) {
        return settings.kafka().keySet().stream()
                .noneMatch(each ->
                        each.startsWith("state.cleanup.")
                                || each.equals(StreamsConfig.PROCESSING_GUARANTEE_CONFIG));
    }

    static Map<String, Object> admin(StreamsSettings settings) {
        Map<String, Object> properties = common(settings, AdminClientConfig.configNames());
        properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
        properties.putIfAbsent(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        return properties;
    }

    /** For looking at a few records: no group, nothing committed. */
    static Map<String, Object> probe(StreamsSettings settings) {
        Map<String, Object> properties = common(settings, ConsumerConfig.configNames());
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return properties;
    }

    /** For reading a whole partition again. */
    static Map<String, Object> reread(StreamsSettings settings) {
        Map<String, Object> properties = probe(settings);
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
        properties.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
        return properties;
    }

    private static Map<String, Object> common(StreamsSettings settings, Set<String> known) {
        Map<String, Object> properties = new HashMap<>(settings.kafka());
        properties.keySet().removeIf(Predicate.not(known::contains));
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        return properties;
    }
}
