package io.tidemark.query.representation;

import java.util.Comparator;
import java.util.regex.Pattern;

/** The API server's YAML conventions: the order of members and which strings are quoted. */
final class YamlOrder {
    /** Digits in names compare as numbers; letters sort after everything else. */
    static final Comparator<String> NAMES = YamlOrder::compare;

    /** Strings that YAML 1.1 parses as a number, a time or another non-string value. */
    private static final Pattern OTHER =
            Pattern.compile(
                    "|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO"
                        + "|on|On|ON|off|Off|OFF|y|Y|n|N|<<|="
                        + "|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
                        + "|[-+]?0b[01_]++|[-+]?0o?[0-7_]++|[-+]?0x[0-9a-fA-F_]++"
                        + "|[-+]?[0-9][0-9_]*+|[-+]?(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?)([eE][-+]?[0-9]++)?"
                        + "|[-+]?[1-9][0-9_]*+(:[0-5]?[0-9])++(\\.[0-9_]*+)?"
                        + "|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|["
                        + " \\t]++)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*+)?(["
                        + " \\t]*+(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?");

    private static final int MAX_OTHER = 128;

    private YamlOrder() {}

    static boolean needsQuotes(String text) {
        return text.length() <= MAX_OTHER && OTHER.matcher(text).matches();
    }

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
        String numberA = stripZeros(a.substring(at, endA));
        String numberB = stripZeros(b.substring(at, endB));
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
