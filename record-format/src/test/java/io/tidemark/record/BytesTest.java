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
    void showsControlCharactersAsHexadecimal() {
        assertThat(Bytes.utf8(" /a~")).hasToString(" /a~");
        assertThat(Bytes.wrap(new byte[] {'a', 0x1f})).hasToString("0x611f");
        assertThat(Bytes.wrap(new byte[] {'a', 0x7f})).hasToString("0x617f");
    }
}
