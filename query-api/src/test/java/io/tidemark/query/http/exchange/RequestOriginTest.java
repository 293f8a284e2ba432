package io.tidemark.query.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOriginTest {
    @ParameterizedTest
    @CsvSource({
        "'', node:8080",
        "http://node:8080, node:8080",
        "HTTP://Node:8080, NODE:8080",
        "https://node, node",
        "https://node, node:443",
        "http://node:80, node",
        "http://[::1]:8080, [::1]:8080",
    })
    void allowsPagesFromThisHost(String origin, String host) {
        assertThat(RequestOrigin.isAllowed(origin, List.of(host))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "null, node:8080",
        "http://evil.example, node:8080",
        "http://node:8081, node:8080",
        "https://node, node:80",
        "http://node.evil.example:8080, node:8080",
        "http://node:8080@evil.example, node:8080",
        "nonsense, node:8080",
        "http://, node:8080",
        "http://node:8080, ''",
        "'http://node node', node",
    })
    void refusesPagesFromOtherHosts(String origin, String host) {
        assertThat(RequestOrigin.isAllowed(origin, List.of(host))).isFalse();
    }

    @Test
    void usesTheForwardedHostBehindAProxy() {
        List<String> hosts = List.of("10.0.0.7:8080", "tidemark.example", " other.example");
        assertThat(RequestOrigin.isAllowed("https://tidemark.example", hosts)).isTrue();
        assertThat(RequestOrigin.isAllowed("https://other.example", hosts)).isTrue();
        assertThat(RequestOrigin.isAllowed("https://third.example", hosts)).isFalse();
    }
}
