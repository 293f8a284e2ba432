package io.tidemark.json;

/**
 * Indents compact JSON by two blanks, piece by piece; pieces may be cut anywhere. Like the API
 * server, keeps empty objects and arrays on one line.
 */
public final class JsonIndenter {
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean opened;

    /** A whole document. */
    public static byte[] indented(byte[] json) {
        return new JsonIndenter().next(json);
    }

    /** The document's next piece. */
    public byte[] next(byte[] piece) {
        JsonBuffer out = new JsonBuffer(piece.length * 2, Integer.MAX_VALUE);
        int at = 0;
        while (at < piece.length) {
            if (inString) {
                int from = at;
                at = afterString(piece, from);
                out.put(piece, from, at);
            } else {
                token(piece[at++], out);
            }
        }
        return out.toByteArray();
    }

    /** Where the string ends, or the piece. */
    private int afterString(byte[] piece, int from) {
        int at = from;
        while (inString && at < piece.length) {
            byte b = piece[at++];
            inString = escaped || b != '"';
            escaped = !escaped && b == '\\';
        }
        return at;
    }

    private void token(byte b, JsonBuffer out) {
        boolean closes = b == '}' || b == ']';
        if (opened && !closes) {
            newLine(out, ++depth);
        } else if (!opened && closes) {
            newLine(out, --depth);
        }
        opened = b == '{' || b == '[';
        out.put(b);
        switch (b) {
            case '"' -> inString = true;
            case ',' -> newLine(out, depth);
            case ':' -> out.put(' ');
            default -> {
                // Parts of numbers and literals.
            }
        }
    }

    private static void newLine(JsonBuffer out, int depth) {
        out.put('\n');
        for (int i = 0; i < depth; i++) {
            out.put(' ');
            out.put(' ');
        }
    }
}
