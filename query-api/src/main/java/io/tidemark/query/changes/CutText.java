package io.tidemark.query.changes;

/** Bounds texts that are content, which may be as long as an object. */
final class CutText {
    /** Longest path, name or other text of an answer, in characters. */
    static final int MOST = 512;

    private CutText() {}

    static boolean isLong(String text) {
        return text.length() > MOST;
    }

    static String cut(String text) {
        return cut(text, MOST);
    }

    /** The beginning of a text, which ends with a whole character. */
    static String cut(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end);
    }
}
