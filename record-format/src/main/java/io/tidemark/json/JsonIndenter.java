package io.tidemark.json;

import java.io.ByteArrayOutputStream;

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
        ByteArrayOutputStream out = new ByteArrayOutputStream(piece.length * 2);
        for (byte b : piece) {
            if (inString) {
                out.write(b);
                inString = escaped || b != '"';
                escaped = !escaped && b == '\\';
                continue;
            }
            boolean closes = b == '}' || b == ']';
            if (opened && !closes) {
                newLine(out, ++depth);
            } else if (!opened && closes) {
                newLine(out, --depth);
            }
            opened = b == '{' || b == '[';
            out.write(b);
            switch (b) {
                case '"' -> inString = true;
                case ',' -> newLine(out, depth);
                case ':' -> out.write(' ');
                default -> {
                    // Parts of numbers and literals.
                }
            }
        }
        return out.toByteArray();
    }

    private static void newLine(ByteArrayOutputStream out, int depth) {
        out.write('\n');
        for (int i = 0; i < depth; i++) {
            out.write(' ');
            out.write(' ');
        }
    }
}
