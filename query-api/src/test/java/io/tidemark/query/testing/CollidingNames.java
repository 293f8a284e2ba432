package io.tidemark.query.testing;

import java.util.ArrayList;
import java.util.List;

/**
 * Names of eight characters with one hash in Jackson's table of names in UTF-8, which multiplies
 * the second half by 33 and adds it to the mixed first half.
 */
public final class CollidingNames {
    private static final String CHARACTERS =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final int HASH = hash(0x61616161, 0x6d6d6d6d);

    /** Of 33, modulo 2^32. */
    private static final int INVERSE = 0x3e0f83e1;

    private CollidingNames() {}

    public static List<String> of(int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; names.size() < count; i++) {
            int first = 0;
            for (int rest = i, j = 0; j < 4; j++, rest /= CHARACTERS.length()) {
                first = first << 8 | CHARACTERS.charAt(rest % CHARACTERS.length());
            }
            String second = text((HASH - mixed(first)) * INVERSE);
            if (second.chars().allMatch(c -> CHARACTERS.indexOf(c) >= 0)) {
                names.add(text(first) + second);
            }
        }
        return names;
    }

    private static int hash(int first, int second) {
        return mixed(first) + second * 33;
    }

    private static int mixed(int half) {
        int hash = half + (half >>> 15);
        return hash ^ (hash >>> 9);
    }

    private static String text(int half) {
        StringBuilder text = new StringBuilder();
        for (int shift = 24; shift >= 0; shift -= 8) {
            text.append((char) (half >>> shift & 0xff));
        }
        return text.toString();
    }
}
