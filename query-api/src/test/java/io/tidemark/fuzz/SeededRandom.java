package io.tidemark.fuzz;

import java.util.SplittableRandom;

/** A random generator with one seed. */
final class SeededRandom {
    private final SplittableRandom random;

    SeededRandom(long seed) {
        random = new SplittableRandom(seed);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** True once in {@code times}. */
    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    @SafeVarargs
    final <T> T of(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** Random bytes except line terminators. */
    String noise(int longest) {
        StringBuilder out = new StringBuilder();
        for (int i = 1 + below(longest); i > 0; i--) {
            char c = (char) below(256);
            out.append(c == '\r' || c == '\n' ? '?' : c);
        }
        return out.toString();
    }

    /** Random bytes without blanks. */
    String word(int longest) {
        StringBuilder out = new StringBuilder();
        for (int i = 1 + below(longest); i > 0; i--) {
            out.append((char) (0x21 + below(0x5e)));
        }
        return out.toString();
    }
}
