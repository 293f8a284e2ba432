package io.tidemark.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostPortTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1:8080", "localhost:0", "[::1]:65535", "kafka_1:9092", "Node.X:1"})
    void parsesAndPrintsAddresses(String text) {
        assertThat(HostPort.parse(" " + text)).hasToString(text);
    }

    @Test
    void keepsIpv6WithoutBrackets() {
        assertThat(HostPort.parse("[fd00::1]:80")).isEqualTo(new HostPort("fd00::1", 80));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "8080",
                ":8080",
                "host",
                "host:",
                "host:65536",
                "host:123456",
                "::1:80",
                "a b:1",
                "a:b",
                "user@host:1",
                "host:80/path",
                "a?b:1",
                "[::g]:1",
                "[host]:1",
                "héros:1",
                "host:1\nforged line of a log"
            })
    void refusesOtherTexts(String text) {
        assertThatThrownBy(() -> HostPort.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("\n")
                .hasSizeLessThan(200);
    }

    @Test
    void tellsWhereItCanBeReached() {
        assertThat(new HostPort("0.0.0.0", 1).isWildcard()).isTrue();
        assertThat(new HostPort("::", 1).isWildcard()).isTrue();
        assertThat(new HostPort("127.0.0.1", 1).isWildcard()).isFalse();
        assertThat(new HostPort("127.0.0.1", 1).isLoopback()).isTrue();
        assertThat(new HostPort("10.0.0.1", 1).isLoopback()).isFalse();
    }
}
