package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.address.HostPort;
import io.tidemark.connector.topic.TopicSettings;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.record.Bytes;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectorConfigTest {
    private static final ConnectorConfig DEFAULTS =
            ConnectorConfig.of(EtcdOptions.of("http://127.0.0.1:2379"), "127.0.0.1:9092");

    @Test
    void hasDocumentedDefaults() {
        assertThat(DEFAULTS.prefix()).isEqualTo(Bytes.utf8("/registry/"));
        assertThat(DEFAULTS.includeSecrets()).isFalse();
        assertThat(DEFAULTS.backfill()).isEqualTo(100_000);
        assertThat(DEFAULTS.topic())
                .isEqualTo(new TopicSettings("tidemark", 8, (short) 1, Duration.ofHours(6)));
        assertThat(DEFAULTS.topic().deadLetters()).isEqualTo("tidemark-dead-letters");
    }

    @Test
    void advertisesTheConfiguredOrTheListeningAddress() {
        assertThat(DEFAULTS.advertised(8090)).hasToString("http://127.0.0.1:8090");
        ConnectorConfig configured =
                DEFAULTS.withListen(new HostPort("0.0.0.0", 8090), "http://connector:1");
        assertThat(configured.advertised(8090)).hasToString("http://connector:1");
        ConnectorConfig everywhere = DEFAULTS.withListen(new HostPort("0.0.0.0", 0), "");
        assertThat(everywhere.advertised(8090).toString())
                .doesNotContain("0.0.0.0")
                .endsWith(":8090");
    }

    @Test
    void refusesInvalidSettingsWithAReason() {
        assertThatThrownBy(() -> DEFAULTS.withBackfill(-1)).hasMessageContaining("-1");
        HostPort anyPort = new HostPort("127.0.0.1", 0);
        assertThatThrownBy(() -> DEFAULTS.withListen(anyPort, "connector:1"))
                .hasMessageContaining("http://HOST:PORT");
        for (String url :
                List.of("http://c:1/path", "http://user:pw@c:1", "http://c:1?q", "ftp://c:1")) {
            assertThatThrownBy(() -> DEFAULTS.withListen(anyPort, url))
                    .hasMessageContaining("http://HOST:PORT");
        }
        assertThatThrownBy(() -> ConnectorConfig.of(EtcdOptions.of("http://127.0.0.1:1"), " "))
                .hasMessageContaining("Kafka broker");
    }
}
