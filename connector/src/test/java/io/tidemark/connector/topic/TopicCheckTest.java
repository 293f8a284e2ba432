package io.tidemark.connector.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCheckTest {
    private static final TopicSettings SETTINGS = TopicSettings.DEFAULT;

    @Test
    void acceptsTheSettingsItCreates() {
        assertThat(findings(8, SETTINGS.configs())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "cleanup.policy,'compact,delete',true",
        "cleanup.policy,delete,true",
        "message.timestamp.type,CreateTime,true",
        "min.compaction.lag.ms,3600000,true",
        "delete.retention.ms,3600000,false",
        "max.message.bytes,1048588,true",
        "max.message.bytes,2097151,true",
        "max.message.bytes,2097152,false"
    })
    void namesTheSettingBothValuesAndTheFix(String setting, String value, boolean dangerous) {
        Map<String, String> actual = new HashMap<>(SETTINGS.configs());
        actual.put(setting, value);
        assertThat(findings(8, actual)).hasSize(1);
        TopicFinding finding = findings(8, actual).getFirst();
        assertThat(finding.dangerous()).isEqualTo(dangerous);
        assertThat(finding.line())
                .startsWith("topic tidemark: %s is %s, wanted ".formatted(setting, value))
                .contains(
                        "kafka-configs.sh --bootstrap-server broker:9092 --alter",
                        "--add-config %s=%s".formatted(setting, SETTINGS.configs().get(setting)))
                .doesNotContain("\n");
    }

    @Test
    void anotherPartitionCountIsReportedButNotDangerous() {
        assertThat(findings(3, SETTINGS.configs()))
                .extracting(TopicFinding::dangerous)
                .containsExactly(false);
    }

    @Test
    void derivesTopicSettingsFromTheHistoryWindow() {
        assertThat(SETTINGS.withHistory(Duration.ofMinutes(90)).configs())
                .containsEntry("min.compaction.lag.ms", "5400000")
                .containsEntry("delete.retention.ms", "86400000")
                .containsEntry("segment.ms", "1350000");
        assertThat(SETTINGS.withHistory(Duration.ofDays(3)).configs())
                .containsEntry("delete.retention.ms", "259200000")
                .containsEntry("segment.ms", "21600000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "..", "ä"})
    void refusesNamesThatKafkaRefuses(String name) {
        assertThatThrownBy(() -> SETTINGS.withName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }

    @Test
    void refusesInvalidNumbers() {
        assertThatThrownBy(() -> SETTINGS.withPartitions(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> SETTINGS.withHistory(Duration.ZERO))
                .hasMessageContaining("history");
        assertThatThrownBy(() -> new TopicSettings("t", 1, (short) 0, Duration.ofHours(1)))
                .hasMessageContaining("replication factor");
    }

    private static List<TopicFinding> findings(int partitions, Map<String, String> actual) {
        return TopicCheck.of(SETTINGS, "broker:9092", partitions, actual);
    }
}
