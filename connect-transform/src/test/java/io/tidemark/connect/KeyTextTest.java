package io.tidemark.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    private static Bytes bytes(int... values) {
        byte[] array = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            array[i] = (byte) values[i];
        }
        return Bytes.wrap(array);
    }

    @Test
    void aKubernetesKeyIsItsText() {
        assertThat(KeyText.of(Bytes.utf8("/registry/pods/a/b"))).isEqualTo("/registry/pods/a/b");
        assertThat(KeyText.of(Bytes.utf8("/app/grün"))).isEqualTo("/app/grün");
    }

    @Test
    void escapesWhatTextCannotHold() {
        assertThat(KeyText.of(bytes('a', 0, 0x7f, '\\'))).isEqualTo("a\\x00\\x7f\\\\");
        assertThat(KeyText.of(bytes('a', 0xff, 0xc3, 0xbc))).isEqualTo("a\\xff\\xc3\\xbc");
    }

    @Test
    void differentKeysHaveDifferentTexts() {
        Random random = new Random(3);
        int[] letters = {'a', '\\', 'x', '0', 'f', 0, 0x7f, 0xff, 0xc3, 0xbc, 0xe2, 0x82, 0xac};
        Map<String, Bytes> keys = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            int[] key = new int[random.nextInt(6)];
            for (int j = 0; j < key.length; j++) {
                key[j] = letters[random.nextInt(letters.length)];
            }
            Bytes bytes = bytes(key);
            assertThat(keys.putIfAbsent(KeyText.of(bytes), bytes)).isIn(null, bytes);
        }
    }
}
