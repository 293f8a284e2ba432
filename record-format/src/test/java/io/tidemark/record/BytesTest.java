package io.tidemark.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BytesTest {
    @Test
    void orderIsUnsigned() {
        assertThat(Bytes.wrap(new byte[] {(byte) 0x80}))
                .isGreaterThan(Bytes.wrap(new byte[] {0x7f}));
        assertThat(Bytes.utf8("a")).isLessThan(Bytes.utf8("a\0")).isLessThan(Bytes.utf8("b"));
    }

    @Test
    void prefixEndIsTheSmallestStringAboveThePrefixRange() {
        assertThat(Bytes.utf8("/a/").prefixEnd()).isEqualTo(Bytes.utf8("/a0"));
        assertThat(Bytes.wrap(new byte[] {1, (byte) 0xff}).prefixEnd())
                .isEqualTo(Bytes.wrap(new byte[] {2}));
        assertThat(Bytes.wrap(new byte[] {(byte) 0xff}).prefixEnd()).isEqualTo(Bytes.EMPTY);

        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[random.nextInt(1, 4)];
            random.nextBytes(bytes);
            Bytes prefix = Bytes.wrap(bytes);
            byte[] suffix = new byte[random.nextInt(3)];
            random.nextBytes(suffix);
            Bytes end = prefix.prefixEnd();
            if (!end.equals(Bytes.EMPTY)) {
                assertThat(prefix.concat(Bytes.wrap(suffix))).isLessThan(end);
                assertThat(end.startsWith(prefix)).isFalse();
            }
        }
    }

    @Test
    void successorIsTheNextString() {
        assertThat(Bytes.utf8("ab").successor()).isEqualTo(Bytes.utf8("ab\0"));
    }

    @Test
    void startsWithItself() {
        assertThat(Bytes.utf8("/a").startsWith(Bytes.utf8("/a"))).isTrue();
        assertThat(Bytes.utf8("/a").startsWith(Bytes.utf8("/a/"))).isFalse();
    }

    @Test
    void showsTextAndEscapesWhatIsNotVisible() {
        assertThat(Bytes.EMPTY).hasToString("");
        assertThat(Bytes.utf8(" /a~/größe/\ud83d\ude00")).hasToString(" /a~/größe/\ud83d\ude00");
        assertThat(Bytes.utf8("a\n\u007f\u0085\u2028\u202e\\"))
                .hasToString("a\\u{a}\\u{7f}\\u{85}\\u{2028}\\u{202e}\\\\");
    }

    @Test
    void escapesBytesThatAreNotUtf8() {
        assertThat(Bytes.wrap(new byte[] {'a', '\n', (byte) 0xc3, (byte) 0xff}))
                .hasToString("a\\u{a}\\xc3\\xff");
        assertThat(Bytes.utf8("\ufffd")).hasToString("\ufffd");
    }
}
