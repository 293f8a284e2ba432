package io.tidemark.connector.topic;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Settings of the mirror topic.
 *
 * @param name of the topic; dead letters go to this name with {@code -dead-letters}, and connectors
 *     hold their election on this name with {@code -connectors}
 * @param partitions used on creation; an existing topic keeps its number
 * @param replicationFactor used on creation; -1 for the brokers' default
 * @param history how long every change is kept: the compaction lag
 */
public record TopicSettings(
        String name, int partitions, short replicationFactor, Duration history) {
    /** An etcd value is 1.5 MiB at most by default, and JSON can be larger than protobuf. */
    public static final int MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

    /**
     * A record has room for any key: etcd's requests, and so its keys, have 1.5 MiB at most by
     * default. A value that is too large is left out of its record, but no key can be.
     */
    static final int MIN_MESSAGE_BYTES = 2 * 1024 * 1024;

    private static final Duration MIN_DELETE_RETENTION = Duration.ofHours(24);
    private static final int SEGMENT_BYTES = 256 * 1024 * 1024;
    private static final Duration MAX_HISTORY = Duration.ofDays(365);
    private static final Duration MAX_SEGMENT = Duration.ofHours(6);
    private static final Duration MIN_SEGMENT = Duration.ofMinutes(10);

    private static final Pattern VALID_NAME = Pattern.compile("[a-zA-Z0-9._-]{1,235}");

    public static final TopicSettings DEFAULT =
            new TopicSettings("tidemark", 8, (short) 1, Duration.ofHours(6));

    public TopicSettings {
        if (!VALID_NAME.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("not a valid topic name: '" + name + "'");
        }
        if (partitions < 1 || partitions > 10_000) {
            throw new IllegalArgumentException(
                    "partitions must be within 1 and 10000, not " + partitions);
        }
        if (replicationFactor < 1 && replicationFactor != -1) {
            throw new IllegalArgumentException(
                    "replication factor must be at least 1, or -1 for the brokers' default, not "
                            + replicationFactor);
        }
        if (history.isNegative() || history.isZero() || history.compareTo(MAX_HISTORY) > 0) {
            throw new IllegalArgumentException(
                    "history must be above 0 and at most 365 days, not " + history);
        }
    }

    public TopicSettings withName(String newName) {
        return new TopicSettings(newName, partitions, replicationFactor, history);
    }

    public TopicSettings withPartitions(int number) {
        return new TopicSettings(name, number, replicationFactor, history);
    }

    public TopicSettings withHistory(Duration newHistory) {
        return new TopicSettings(name, partitions, replicationFactor, newHistory);
    }

    /** The control topic, without records: the group member that holds its one partition writes. */
    public String control() {
        return name + "-connectors";
    }

    public String deadLetters() {
        return name + "-dead-letters";
    }

    /** Transactional id of the topic's writer: initializing it fences the previous holder. */
    public String transactionalId() {
        return "tidemark-connector-" + name;
    }

    /** A store that was offline for less than this has missed no delete. */
    Duration deleteRetention() {
        return history.compareTo(MIN_DELETE_RETENTION) > 0 ? history : MIN_DELETE_RETENTION;
    }

    /** Configs with which the mirror topic is created. */
    Map<String, String> configs() {
        Map<String, String> configs = new LinkedHashMap<>();
        configs.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
        configs.put(TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG, Long.toString(history.toMillis()));
        configs.put(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime");
        configs.put(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE_BYTES));
        configs.put(
                TopicConfig.DELETE_RETENTION_MS_CONFIG,
                Long.toString(deleteRetention().toMillis()));
        configs.put(TopicConfig.SEGMENT_MS_CONFIG, Long.toString(segment().toMillis()));
        configs.put(TopicConfig.SEGMENT_BYTES_CONFIG, Integer.toString(SEGMENT_BYTES));
        return configs;
    }

    /** Only closed segments are compacted, so a short history needs short segments. */
    private Duration segment() {
        Duration share = history.dividedBy(4);
        return share.compareTo(MAX_SEGMENT) > 0
                ? MAX_SEGMENT
                : share.compareTo(MIN_SEGMENT) < 0 ? MIN_SEGMENT : share;
    }
}
