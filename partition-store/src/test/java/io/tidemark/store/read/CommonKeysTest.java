package io.tidemark.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CommonKeysTest {
    @Test
    void passesEveryCommonKeyInOrder() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 2_000; round++) {
            List<TreeSet<Bytes>> sets = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                sets.add(randomSet(random));
            }
            List<Bytes> found = new ArrayList<>();
            CommonKeys keys = of(sets);
            while (keys.key != null) {
                found.add(keys.key);
                if (random.nextInt(4) == 0) {
                    keys.advance(keys.key.successor());
                } else {
                    keys.next();
                }
            }
            TreeSet<Bytes> common = new TreeSet<>(sets.getFirst());
            sets.forEach(common::retainAll);
            assertThat(found).isSorted().doesNotHaveDuplicates().containsAll(common);
        }
    }

    @Test
    void aStepIsBoundedWhereNothingIsCommon() {
        TreeSet<Bytes> even = new TreeSet<>();
        TreeSet<Bytes> odd = new TreeSet<>();
        for (int i = 0; i < 100_000; i += 2) {
            even.add(key(i));
            odd.add(key(i + 1));
        }
        Counted left = new Counted(even);
        CommonKeys keys = new CommonKeys(List.of(left, new Counted(odd)));
        assertThat(keys.key).isNotNull();
        assertThat(left.steps).isLessThan(100);
        int before = left.steps;
        keys.next();
        assertThat(left.steps - before).isBetween(1, 100);
    }

    @Test
    void theShortestStreamBoundsTheWork() {
        TreeSet<Bytes> all = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            all.add(key(i));
        }
        Counted few = new Counted(new TreeSet<>(List.of(key(17), key(9_000))));
        Counted many = new Counted(all);
        CommonKeys keys = new CommonKeys(List.of(few, many));
        List<Bytes> found = new ArrayList<>();
        for (; keys.key != null; keys.next()) {
            found.add(keys.key);
        }
        assertThat(found).containsExactly(key(17), key(9_000));
        assertThat(many.advances).isLessThan(8);
    }

    private static Bytes key(int number) {
        return Bytes.utf8("%06d".formatted(number));
    }

    private static TreeSet<Bytes> randomSet(SplittableRandom random) {
        TreeSet<Bytes> set = new TreeSet<>();
        int range = 1 + random.nextInt(300);
        for (int i = random.nextInt(300); i > 0; i--) {
            set.add(key(random.nextInt(range)));
        }
        return set;
    }

    private static CommonKeys of(List<TreeSet<Bytes>> sets) {
        return new CommonKeys(sets.stream().map(Counted::new).toList());
    }

    private static final class Counted extends KeyStream {
        private final TreeSet<Bytes> set;
        private Iterator<Bytes> left;
        int steps;
        int advances;

        Counted(TreeSet<Bytes> set) {
            this.set = set;
            this.left = set.iterator();
            next();
        }

        @Override
        void next() {
            steps++;
            key = left.hasNext() ? left.next() : null;
        }

        @Override
        void advance(Bytes from) {
            advances++;
            if (key != null && key.compareTo(from) < 0) {
                left = set.tailSet(from).iterator();
                next();
            }
        }
    }
}
