package io.tidemark.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PersistentMapTest {
    /** A key with a hash of few different values, or of few upper bits. */
    private record Key(int number, int hash) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            return Integer.compare(number, other.number);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 40, 1 << 30})
    void isAMapWhoseOldVersionsStay(int hashes) {
        Random random = new Random(hashes);
        PersistentMap<Key, Integer> map = PersistentMap.empty();
        Map<Key, Integer> expected = new HashMap<>();
        List<PersistentMap<Key, Integer>> versions = new ArrayList<>();
        List<Map<Key, Integer>> copies = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            int number = random.nextInt(200);
            Key key = new Key(number, new Random(number).nextInt(hashes));
            boolean grows = random.nextInt(3_000) > i;
            if (grows) {
                map = map.with(key, i);
                expected.put(key, i);
            } else {
                map = map.without(key);
                expected.remove(key);
            }
            assertThat(map.get(key)).isEqualTo(expected.get(key));
            if (i % 100 == 0) {
                versions.add(map);
                copies.add(Map.copyOf(expected));
            }
        }
        for (int i = 0; i < versions.size(); i++) {
            assertHolds(versions.get(i), copies.get(i));
        }
        for (Key key : List.copyOf(expected.keySet())) {
            map = map.without(key);
            expected.remove(key);
            assertHolds(map, expected);
        }
        assertThat(map.isEmpty()).isTrue();
    }

    private static void assertHolds(PersistentMap<Key, Integer> map, Map<Key, Integer> expected) {
        Map<Key, Integer> found = new HashMap<>();
        map.forEach((key, value) -> assertThat(found.put(key, value)).isNull());
        assertThat(found).isEqualTo(expected);
        assertThat(map.isEmpty()).isEqualTo(expected.isEmpty());
        expected.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
    }
}
