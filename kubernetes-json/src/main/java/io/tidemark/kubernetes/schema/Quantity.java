package io.tidemark.kubernetes.schema;

/**
 * The text of a resource quantity, such as {@code 500m} or {@code 1Gi}. An API server stores
 * quantities in the canonical form in which it prints them, so a well-formed text is copied
 * unchanged.
 */
public final class Quantity {
    private static final String DECIMAL_SUFFIXES = "numkMGTPE";
    private static final String BINARY_SUFFIXES = "KMGTPE";

    private Quantity() {}

    /** A sign, digits with at most one dot, then a suffix or an exponent; ASCII only. */
    public static boolean isWellFormed(byte[] source, int from, int to) {
        int at = from;
        if (at < to && (source[at] == '+' || source[at] == '-')) {
            at++;
        }
        int whole = digits(source, at, to);
        int digits = whole - at;
        at = whole;
        if (at < to && source[at] == '.') {
            int fraction = digits(source, at + 1, to);
            digits += fraction - at - 1;
            at = fraction;
        }
        return digits > 0 && isSuffix(source, at, to);
    }

    private static int digits(byte[] source, int from, int to) {
        int at = from;
        while (at < to && source[at] >= '0' && source[at] <= '9') {
            at++;
        }
        return at;
    }

    private static boolean isSuffix(byte[] source, int from, int to) {
        int length = to - from;
        if (length == 0) {
            return true;
        }
        byte first = source[from];
        if (length == 1) {
            return DECIMAL_SUFFIXES.indexOf(first) >= 0;
        }
        if (length == 2 && source[from + 1] == 'i') {
            return BINARY_SUFFIXES.indexOf(first) >= 0;
        }
        return (first == 'e' || first == 'E') && isExponent(source, from + 1, to);
    }

    private static boolean isExponent(byte[] source, int from, int to) {
        int at = source[from] == '+' || source[from] == '-' ? from + 1 : from;
        return at < to && digits(source, at, to) == to;
    }
}
