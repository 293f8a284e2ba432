package io.tidemark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllowedHostsTest {
    private static final AllowedHosts HOSTS =
            AllowedHosts.of("0.0.0.0").and(List.of("Node.Example.com.", "[fd00::1]", "10.0.0.5"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:8080",
                "localhost.:8080",
                "127.0.0.1",
                "127.0.0.1:8080",
                "10.1.2.3:1",
                "255.255.255.255",
                "[::1]",
                "[::1]:8080",
                "[::ffff:10.0.0.1]:8080",
                "node.example.com",
                "node.EXAMPLE.com.:443",
            })
    void allowsAddressesAndNamedHosts(String authority) {
        assertThat(HOSTS.allows(authority)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "localhost..",
                "notlocalhost",
                "127.0.0.1.evil.example",
                "127.0.0.1.nip.io:8080",
                "127.1",
                "2130706433",
                "0x7f.0.0.1",
                "256.0.0.1",
                "[evil.example]",
                "[::1].evil.example",
                "user@localhost",
                "localhost:80:80",
                "localhost/evil",
                "evil.example, localhost",
                ".",
                ":8080",
            })
    void refusesOtherNames(String authority) {
        assertThat(HOSTS.allows(authority)).isFalse();
    }

    @Test
    void allowsTheHostListenedOn() {
        assertThat(AllowedHosts.of("inner.example").allows("inner.example:8080")).isTrue();
        assertThat(AllowedHosts.of("127.0.0.1").allows("inner.example:8080")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "*", "node:8080", "http://node", "node/x", "a b", "a:b:c.d/e"})
    void refusesInvalidHostNames(String host) {
        assertThatThrownBy(() -> AllowedHosts.of().and(List.of(host)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + host + "'")
                .hasMessageContaining("without a port");
    }
}
