package io.tidemark.selfcheck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.digest.KeyRevision;
import io.tidemark.record.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDiffTest {
    private static KeyDiff.Sequence sequence(Map<Bytes, Long> keys) {
        Iterator<Map.Entry<Bytes, Long>> entries = new TreeMap<>(keys).entrySet().iterator();
        return () ->
                Optional.ofNullable(entries.hasNext() ? entries.next() : null)
                        .map(each -> new KeyRevision(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void namesExactlyTheDifferingKeys(long seed) throws Exception {
        Random random = new Random(seed);
        TreeMap<Bytes, Long> etcd = new TreeMap<>();
        TreeMap<Bytes, Long> own = new TreeMap<>();
        List<Difference> expected = new ArrayList<>();
        for (int i = 100; i < 400; i++) {
            Bytes key = Bytes.utf8("/k/" + i);
            long a = random.nextInt(20) == 0 ? 0 : i;
            long b = random.nextInt(20) == 0 ? 0 : random.nextInt(30) == 0 ? i + 1 : a;
            if (a > 0) {
                etcd.put(key, a);
            }
            if (b > 0) {
                own.put(key, b);
            }
            if (a != b) {
                expected.add(new Difference(key, a, b));
            }
        }

        assertThat(KeyDiff.differences(sequence(etcd), sequence(own), 1000)).isEqualTo(expected);
        assertThat(KeyDiff.differences(sequence(etcd), sequence(own), 3))
                .isEqualTo(expected.subList(0, Math.min(3, expected.size())));
        assertThat(KeyDiff.differences(sequence(etcd), sequence(etcd), 3)).isEmpty();
    }

    @Test
    void incompleteKeysAreNoDifference() {
        KeyDiff.Sequence broken =
                () -> {
                    throw new IOException("incomplete");
                };

        assertThatThrownBy(() ->
                        KeyDiff.differences(broken, sequence(Map.of(Bytes.utf8("/a"), 1L)), 3))
                .isInstanceOf(IOException.class);
    }
}
