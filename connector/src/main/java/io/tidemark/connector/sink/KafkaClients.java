package io.tidemark.connector.sink;

import io.tidemark.concurrent.TimeSource;
import io.tidemark.connector.topic.MirrorTopics;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.reading.CorruptBatchSkippingConsumer;
import io.tidemark.reading.CorruptRange;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates the connector's Kafka clients: its defaults, overridden by the user's settings,
 * overridden by the settings that correctness depends on.
 *
 * @param settings the user's
 */
public record KafkaClients(String bootstrap, Map<String, Object> settings) implements TopicClients {
    /** Long, because a large list is one transaction. */
    static final int TRANSACTION_TIMEOUT_MILLIS = 600_000;

    private static final int REQUEST_TIMEOUT_MILLIS = 15_000;
    private static final int DELIVERY_TIMEOUT_MILLIS = 30_000;
    private static final int MAX_BLOCK_MILLIS = 30_000;
    private static final int BUFFER_BYTES = 64 * 1024 * 1024;
    private static final int MAX_REQUEST_BYTES = 16 * 1024 * 1024;
    private static final int FETCH_BYTES = 16 * 1024 * 1024;

    /** The writer has to notice soon that partitions were added. */
    private static final int METADATA_AGE_MILLIS = 5_000;

    /**
     * A reader visits partition after partition, and each time waits this long for the previous
     * partition's last fetch, which is at its end: dozens of times in a takeover.
     */
    private static final int FETCH_WAIT_MILLIS = 5;

    /**
     * Retry backoffs double up to this; short, because readers of "now" wait for what is retried.
     */
    private static final int RETRY_PAUSE_MAX_MILLIS = 100;

    /**
     * Reconnects happen within this after a broker returns; a longer backoff would exceed a
     * member's short session.
     */
    private static final int RECONNECT_PAUSE_MAX_MILLIS = 200;

    private static final int SHORT_SESSION_MILLIS = 3_000;
    private static final int SESSION_MILLIS = 6_000;

    /** A new leader learns of its assignment at its next heartbeat. */
    private static final int HEARTBEAT_MILLIS = 250;

    /**
     * For closing an admin client. Without a limit it waits for its requests: up to a minute while
     * Kafka is unreachable.
     */
    public static final Duration CLOSE_ADMIN = Duration.ofSeconds(1);

    public KafkaClients {
        settings = Map.copyOf(settings);
    }

    @Override
    public MirrorTopics.Prepared prepare(TopicSettings topic) throws Exception {
        Admin admin = admin();
        try {
            return new MirrorTopics(admin, topic, bootstrap).prepare();
        } finally {
            admin.close(CLOSE_ADMIN);
        }
    }

    public Admin admin() {
        Map<String, Object> configs = common();
        configs.putAll(settings);
        configs.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        return Admin.create(configs);
    }

    @Override
    public Producer<byte[], byte[]> producer(String transactionalId) {
        Map<String, Object> configs = common();
        configs.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        configs.put(ProducerConfig.BATCH_SIZE_CONFIG, 128 * 1024);
        configs.put(ProducerConfig.BUFFER_MEMORY_CONFIG, BUFFER_BYTES);
        configs.put(
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                BatchCompression.codec(BatchCompression.SNAPPY));
        configs.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
        configs.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
        configs.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
        configs.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
        configs.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS);
        configs.putAll(settings);
        configs.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        configs.put(ProducerConfig.ACKS_CONFIG, "all");
        configs.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        configs.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        return new KafkaProducer<>(configs, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * A group member that holds partitions and reads nothing. Partitions stay where they are when
     * another member joins.
     *
     * @param group also the name of the member's topic
     * @param shortSession whether to detect a dead member sooner than most brokers allow by default
     */
    public Consumer<byte[], byte[]> member(String group, boolean shortSession) {
        Map<String, Object> configs = common();
        configs.put(
                ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                shortSession ? SHORT_SESSION_MILLIS : SESSION_MILLIS);
        configs.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_MILLIS);
        configs.putAll(settings);
        configs.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        configs.put(ConsumerConfig.GROUP_ID_CONFIG, group);
        configs.put(
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                CooperativeStickyAssignor.class.getName());
        configs.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        configs.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return new KafkaConsumer<>(
                configs, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    @Override
    public Consumer<byte[], byte[]> consumer(
            Isolation isolation, java.util.function.Consumer<CorruptRange> corruptRanges) {
        Map<String, Object> configs = common();
        configs.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
        configs.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
        configs.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        configs.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS);
        configs.putAll(settings);
        configs.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
        configs.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, isolation.setting());
        configs.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        configs.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        configs.remove(ConsumerConfig.GROUP_ID_CONFIG);
        return new CorruptBatchSkippingConsumer(configs, corruptRanges);
    }

    @Override
    public int maxRequestBytes() {
        return configured(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, MAX_REQUEST_BYTES);
    }

    @Override
    public TimeSource time() {
        return TimeSource.SYSTEM;
    }

    @Override
    public Duration transactionTimeout() {
        return Duration.ofMillis(
                configured(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT_MILLIS));
    }

    private int configured(String name, int fallback) {
        Object configured = settings.get(name);
        return configured == null ? fallback : Integer.parseInt(String.valueOf(configured).strip());
    }

    private static Map<String, Object> common() {
        Map<String, Object> configs = new HashMap<>();
        configs.put(CommonClientConfigs.CLIENT_ID_CONFIG, "tidemark-connector");
        configs.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        configs.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, 10);
        configs.put(CommonClientConfigs.RETRY_BACKOFF_MAX_MS_CONFIG, RETRY_PAUSE_MAX_MILLIS);
        configs.put(
                CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_PAUSE_MAX_MILLIS);
        return configs;
    }
}
