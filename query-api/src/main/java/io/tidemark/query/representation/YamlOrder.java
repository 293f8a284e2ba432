package io.tidemark.query.representation;

import java.util.Comparator;

/** The order in which the API server's YAML has the members of an object. */
final class YamlOrder {
    private YamlOrder() {}

    /**
     * Digits in names compare as numbers; letters sort after everything else. As in the API server
     * this is not transitive: 1a comes before 2, 2 before 12, and 12 before 1a. Different names
     * never compare as equal.
     */
    static final Comparator<String> NAMES = YamlOrder::compare;

    private static int compare(String a, String b) {
        int length = Math.min(a.length(), b.length());
        for (int i = 0; i < length; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x == y) {
                continue;
            }
            boolean letterX = Character.isLetter(x);
            boolean letterY = Character.isLetter(y);
            if (letterX || letterY) {
                return letterX && letterY ? Character.compare(x, y) : letterY ? -1 : 1;
            }
            return compareNumbers(a, b, i);
        }
        return Integer.compare(a.length(), b.length());
    }

    private static int compareNumbers(String a, String b, int at) {
        int endA = digitsEnd(a, at);
        int endB = digitsEnd(b, at);
        // Zeros count after another digit: k19 comes before k100.
        boolean zero = a.charAt(at) == '0' || b.charAt(at) == '0';
        String before = zero && followsDigit(a, at) ? "1" : "";
        String numberA = stripZeros(before + a.substring(at, endA));
        String numberB = stripZeros(before + b.substring(at, endB));
        int byNumber =
                Comparator.comparingInt(String::length)
                        .thenComparing(Comparator.naturalOrder())
                        .compare(numberA, numberB);
        if (byNumber != 0) {
            return byNumber;
        }
        return endA != endB
                ? Integer.compare(endA, endB)
                : Character.compare(a.charAt(at), b.charAt(at));
    }

    /** Whether the digits right before a place are not only zeros. */
    private static boolean followsDigit(String text, int at) {
        for (int i = at - 1; i >= 0 && Character.isDigit(text.charAt(i)); i--) {
            if (text.charAt(i) != '0') {
                return true;
            }
        }
        return false;
    }

    private static String stripZeros(String digits) {
        int from = 0;
        while (from < digits.length() && digits.charAt(from) == '0') {
            from++;
        }
        return digits.substring(from);
    }

    private static int digitsEnd(String text, int from) {
        int end = from;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }
}
