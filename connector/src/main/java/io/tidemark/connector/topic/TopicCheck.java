package io.tidemark.connector.topic;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** Compares a mirror topic's settings with those that the mirror depends on. Pure. */
final class TopicCheck {
    private final TopicSettings wanted;
    private final String bootstrap;
    private final Map<String, String> actual;
    private final List<TopicFinding> findings = new ArrayList<>();

    private TopicCheck(TopicSettings wanted, String bootstrap, Map<String, String> actual) {
        this.wanted = wanted;
        this.bootstrap = bootstrap;
        this.actual = actual;
    }

    /**
     * @param bootstrap for the commands that fix settings
     * @param actual the topic's settings in force, by name
     */
    static List<TopicFinding> of(
            TopicSettings wanted, String bootstrap, int partitions, Map<String, String> actual) {
        TopicCheck check = new TopicCheck(wanted, bootstrap, actual);
        check.partitions(partitions);
        check.exactly(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                "objects that do not change would be deleted from the mirror");
        check.exactly(
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                "LogAppendTime",
                "stores could not tell which history is still complete");
        check.atLeast(
                TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
                wanted.history().toMillis(),
                true,
                "history would be compacted away inside the promised window of "
                        + text(wanted.history()));
        check.atLeast(
                TopicConfig.DELETE_RETENTION_MS_CONFIG,
                wanted.deleteRetention().toMillis(),
                false,
                "a store that was offline for longer than that misses deletes");
        check.maxMessageBytes();
        return check.findings;
    }

    private void maxMessageBytes() {
        String setting = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
        boolean tooLow = !isAtLeast(setting, TopicSettings.MIN_MESSAGE_BYTES);
        atLeast(
                setting,
                TopicSettings.MAX_MESSAGE_BYTES,
                tooLow,
                tooLow
                        ? "a key may be larger, and would stop the mirror"
                        : "larger objects become dead letters");
    }

    private void partitions(int partitions) {
        if (partitions != wanted.partitions()) {
            findings.add(
                    new TopicFinding(
                            wanted.name(),
                            "number of partitions",
                            Integer.toString(partitions),
                            Integer.toString(wanted.partitions()),
                            false,
                            "the topic's number is used; changing it needs a new topic",
                            ""));
        }
    }

    private void exactly(String setting, String value, String why) {
        String found = actual.getOrDefault(setting, "unknown");
        if (!found.equals(value)) {
            add(setting, found, value, true, why);
        }
    }

    private void atLeast(String setting, long least, boolean dangerous, String why) {
        if (!isAtLeast(setting, least)) {
            String found = actual.getOrDefault(setting, "unknown");
            add(setting, found, Long.toString(least), dangerous, why);
        }
    }

    private boolean isAtLeast(String setting, long least) {
        String found = actual.getOrDefault(setting, "unknown");
        return found.matches("\\d+") && Long.parseLong(found) >= least;
    }

    private void add(String setting, String found, String value, boolean dangerous, String why) {
        String fix =
                "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s=%s"
                        .formatted(bootstrap, wanted.name(), setting, value);
        findings.add(new TopicFinding(wanted.name(), setting, found, value, dangerous, why, fix));
    }

    private static String text(Duration duration) {
        return duration.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
