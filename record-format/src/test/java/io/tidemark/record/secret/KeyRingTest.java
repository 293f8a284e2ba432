package io.tidemark.record.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

    @Test
    void readsKeysInOrderAndPrintsOnlyTheirIds() {
        KeyRing ring = KeyRing.parse("# made by hand\n\nnew-1 " + KEY + "\r\n old_2\t" + KEY);
        assertThat(ring.ids()).containsExactly("new-1", "old_2");
        assertThat(ring.toString()).contains("new-1", "old_2").doesNotContain(KEY);
        assertThat(ring.first().toString()).isEqualTo("new-1");
        assertThat(ring.has("old_2")).isTrue();
        assertThat(ring.has("old")).isFalse();
    }

    @Test
    void isEqualByItsKeysAndTheirOrder() {
        KeyRing ring = KeyRing.parse("a " + KEY + "\n" + KeyRing.randomText("b"));
        assertThat(KeyRing.parse("a " + KEY)).isEqualTo(KeyRing.parse("# x\na " + KEY));
        assertThat(KeyRing.parse("a " + KEY)).isNotEqualTo(ring);
        assertThat(KeyRing.parse(KeyRing.randomText("a")))
                .isNotEqualTo(KeyRing.parse(KeyRing.randomText("a")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# only a comment",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "id AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA= more",
                "a/b AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "id AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "id AAAA",
                "id !!!!",
            })
    void refusesOtherTextWithoutQuotingIt(String text) {
        assertThatThrownBy(() -> KeyRing.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the key")
                .hasMessageNotContaining("AAAA")
                .hasMessageNotContaining("!!!!");
    }

    @Test
    void refusesAnIdTwiceAndMoreThanSixteenKeys() {
        assertThatThrownBy(() -> KeyRing.parse("a " + KEY + "\na " + KEY))
                .hasMessage("line 2 of the key file: the id is that of an earlier line");
        assertThat(KeyRing.parse(keys(16)).ids()).hasSize(16);
        assertThatThrownBy(() -> KeyRing.parse(keys(17)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 16 keys");
    }

    @Test
    void refusesLongIds() {
        assertThat(KeyRing.parse("i".repeat(64) + " " + KEY).ids()).hasSize(1);
        assertThatThrownBy(() -> KeyRing.parse("i".repeat(65) + " " + KEY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "k" + i + " " + KEY)
                .collect(Collectors.joining("\n"));
    }
}
