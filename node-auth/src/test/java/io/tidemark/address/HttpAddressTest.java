package io.tidemark.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpAddressTest {
    @ParameterizedTest
    @CsvSource({
        "http://node-1:8180, http://node-1:8180",
        "http://451b5a67d7e2:8090, http://451b5a67d7e2:8090",
        "http://Node.Example.COM:1, http://node.example.com:1",
        "https://10.0.0.1, https://10.0.0.1:443",
        "http://[fd00::1]:8180, http://[fd00::1]:8180"
    })
    void readsSchemeHostAndPort(String text, String shown) {
        assertThat(HttpAddress.ofUrl(text)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "node-1:8180",
                "ftp://node-1:8180",
                "file:///etc/passwd",
                "http://user:secret@node-1:8180",
                "http://node-1:8180/",
                "http://node-1:8180/admin?",
                "http://node-1:8180#x",
                "http://node-1:0",
                "http://node-1:70000",
                "http://node 1:80",
                "http://node_1:80",
                "http://:80",
                "http://[::g]:80",
                "http://node-1:80\nforged line of a log"
            })
    void refusesOtherUrls(String text) {
        assertThatThrownBy(() -> HttpAddress.ofUrl(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "user@host", "host/path", "a?b", "a#b", "a b", "a_b", "::g", "a:b"})
    void refusesWhatIsMoreThanAHost(String host) {
        assertThatThrownBy(() -> new HttpAddress("http", host, 80))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new HttpAddress("http", "host", 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void isOfAHostAndAPort() {
        assertThat(HttpAddress.of(new HostPort("::1", 9001)).hostPort()).isEqualTo("[::1]:9001");
    }
}
