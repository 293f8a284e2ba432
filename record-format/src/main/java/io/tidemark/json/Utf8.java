package io.tidemark.json;

/** UTF-8 as Go reads it: shortest forms only, no surrogates, nothing above U+10FFFF. */
public final class Utf8 {
    private Utf8() {}

    /** Length of the valid multi-byte sequence at {@code at}; 0 if there is none. */
    static int sequenceLength(byte[] source, int at, int to) {
        int first = source[at] & 0xff;
        if (first < 0xc2 || first > 0xf4) {
            return 0;
        }
        int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (to - at < length || !secondFits(first, source[at + 1] & 0xff)) {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if ((source[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    private static boolean secondFits(int first, int second) {
        int low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        int high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        return second >= low && second <= high;
    }

    /** Whether the sequence at {@code at} is U+2028 or U+2029. */
    static boolean isLineOrParagraphSeparator(byte[] source, int at, int length) {
        return length == 3
                && source[at] == (byte) 0xe2
                && source[at + 1] == (byte) 0x80
                && (source[at + 2] & 0xfe) == 0xa8;
    }

    /** Whether all bytes are UTF-8. */
    public static boolean isValid(byte[] source, int from, int to) {
        int at = from;
        while (at < to) {
            if (at <= to - Long.BYTES && (EightBytes.at(source, at) & EightBytes.HIGH_BITS) == 0) {
                at += Long.BYTES;
                continue;
            }
            int length = source[at] >= 0 ? 1 : sequenceLength(source, at, to);
            if (length == 0) {
                return false;
            }
            at += length;
        }
        return true;
    }

    /** A text with U+FFFD, like Go, in place of unpaired surrogates, which UTF-8 cannot hold. */
    public static String wellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return withoutHalfPairs(text);
            }
        }
        return text;
    }

    private static String withoutHalfPairs(String text) {
        StringBuilder whole = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .forEach(whole::appendCodePoint);
        return whole.toString();
    }
}
