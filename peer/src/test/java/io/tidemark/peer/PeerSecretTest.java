package io.tidemark.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PeerSecretTest {
    @Test
    void isNeitherShownNorShort() {
        assertThat(new PeerSecret("0123456789abcdef").toString()).doesNotContain("0123");
        for (String bad :
                new String[] {"", "short", "with a blank in it 123", "with\nnewline in it"}) {
            assertThatThrownBy(() -> new PeerSecret(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16")
                    .hasMessageNotContaining("blank in it 123");
        }
    }

    @Test
    void onlyTheWholeHeaderIsRight() {
        PeerSecret secret = new PeerSecret("0123456789abcdef");
        assertThat(secret.isSaidBy("Bearer 0123456789abcdef")).isTrue();
        assertThat(secret.isSaidBy("0123456789abcdef")).isFalse();
        assertThat(secret.isSaidBy("Bearer 0123456789abcdeg")).isFalse();
        assertThat(secret.isSaidBy(null)).isFalse();
    }

    @Test
    void addressesAreRead() {
        assertThat(PeerAddress.parse("node-1:9001")).isEqualTo(new PeerAddress("node-1", 9001));
        assertThat(PeerAddress.parse("[::1]:9001").toString()).isEqualTo("[::1]:9001");
        for (String bad : new String[] {"", "host", "host:", ":1", "host:0", "host:70000", "a:b"}) {
            assertThatThrownBy(() -> PeerAddress.parse(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("HOST:PORT");
        }
    }
}
