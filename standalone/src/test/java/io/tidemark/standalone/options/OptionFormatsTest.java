package io.tidemark.standalone.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Formats of durations and addresses. */
class OptionFormatsTest {
    @Test
    void parsesDurations() {
        assertThat(Durations.parse("500ms")).isEqualTo(Duration.ofMillis(500));
        assertThat(Durations.parse("30s")).isEqualTo(Duration.ofSeconds(30));
        assertThat(Durations.parse("1h30m")).isEqualTo(Duration.ofMinutes(90));
        assertThat(Durations.parse("7d")).isEqualTo(Duration.ofDays(7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "h", "6 h", "6h!", "-6h", "1.5h", "6hours"})
    void refusesInvalidDurations(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void parsesAndPrintsAddresses() {
        for (String text : new String[] {"127.0.0.1:8080", "localhost:0", "[::1]:65535"}) {
            assertThat(HostPort.parse(text)).hasToString(text);
        }
        assertThat(HostPort.parse("[::1]:80").host()).isEqualTo("::1");
        assertThat(HostPort.parse("0.0.0.0:1").isWildcard()).isTrue();
        assertThat(HostPort.parse("127.0.0.1:1").isWildcard()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "8080", ":8080", "host", "host:", "host:65536", "::1:80", "a b:1"})
    void refusesInvalidAddresses(String text) {
        assertThatThrownBy(() -> HostPort.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
