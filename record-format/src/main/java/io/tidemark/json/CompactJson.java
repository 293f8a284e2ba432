package io.tidemark.json;

/**
 * Validates JSON and writes it like Go: drops whitespace outside strings, escapes {@code < > &} and
 * U+2028, U+2029, and copies everything else unchanged. Text that needs no change, as almost all
 * does, is copied as a whole.
 */
public final class CompactJson {
    /** Go allows 10,000 levels; Tidemark's readers allow 1,000, including the enclosing object. */
    private static final int MAX_DEPTH = 900;

    /** Far deeper than what is embedded in real objects. */
    private static final int SHALLOW = 100;

    private CompactJson() {}

    /**
     * Appends the JSON value in {@code source[from, to)}.
     *
     * @return whether the value is valid UTF-8 and at most 100 levels deep, so that strict readers
     *     accept it
     * @throws MalformedJsonException when it holds no value, or more than one
     */
    public static boolean append(byte[] source, int from, int to, JsonBuffer out) {
        JsonScanner json = new JsonScanner(source, from, to, MAX_DEPTH, false);
        json.finish();
        if (json.isCompact() && !json.hasHtml()) {
            out.put(source, json.textFrom(), json.to());
        } else {
            copy(source, json.textFrom(), json.to(), json.hasHtml(), out);
        }
        return !json.hasInvalidUtf8() && json.deepest() <= SHALLOW;
    }

    /** Valid JSON without blanks between its tokens. */
    public static byte[] withoutBlanks(byte[] json) {
        JsonBuffer out = new JsonBuffer(json.length, json.length);
        copy(json, 0, json.length, false, out);
        return out.toByteArray();
    }

    private static void copy(byte[] json, int from, int to, boolean html, JsonBuffer out) {
        int at = from;
        while (at < to) {
            byte b = json[at];
            int end = b == '"' ? ValidJson.afterString(json, at, to) : at + 1;
            if (b == '"' && html) {
                escape(json, at, end, out);
            } else if (!ValidJson.isBlank(b)) {
                out.put(json, at, end);
            }
            at = end;
        }
    }

    private static void escape(byte[] json, int from, int to, JsonBuffer out) {
        int run = from;
        for (int at = from; at < to; at++) {
            byte b = json[at];
            if (b == '<' || b == '>' || b == '&') {
                out.put(json, run, at);
                out.escape(b);
                run = at + 1;
            } else if (at + 3 <= to && Utf8.isLineOrParagraphSeparator(json, at, 3)) {
                out.put(json, run, at);
                out.lineSeparator(json[at + 2]);
                run = at + 3;
            }
        }
        out.put(json, run, to);
    }
}
