package io.tidemark.standalone.decode;

import io.tidemark.record.Bytes;
import java.io.ByteArrayOutputStream;

/** Indents compact JSON by two blanks per level; adds whitespace and changes nothing else. */
public final class IndentedJson {
    private final byte[] json;
    private final ByteArrayOutputStream out;
    private int depth;

    private IndentedJson(byte[] json) {
        this.json = json;
        this.out = new ByteArrayOutputStream(json.length * 2);
    }

    /**
     * @param compact JSON without whitespace between its tokens
     */
    public static Bytes of(Bytes compact) {
        IndentedJson indented = new IndentedJson(compact.array());
        indented.write();
        return Bytes.wrap(indented.out.toByteArray());
    }

    private void write() {
        int at = 0;
        while (at < json.length) {
            switch (json[at]) {
                case '"' -> at = string(at);
                case '{', '[' -> at = open(at);
                case '}', ']' -> {
                    depth--;
                    lineBreak();
                    out.write(json[at]);
                }
                case ',' -> {
                    out.write(',');
                    lineBreak();
                }
                case ':' -> {
                    out.write(':');
                    out.write(' ');
                }
                default -> out.write(json[at]);
            }
            at++;
        }
    }

    /** Copies a string; returns the index of its closing quote. */
    private int string(int from) {
        int at = from + 1;
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        out.write(json, from, at + 1 - from);
        return at;
    }

    /** Begins an object or array; an empty one stays on its line. */
    private int open(int at) {
        out.write(json[at]);
        if (json[at + 1] == '}' || json[at + 1] == ']') {
            out.write(json[at + 1]);
            return at + 1;
        }
        depth++;
        lineBreak();
        return at;
    }

    private void lineBreak() {
        out.write('\n');
        for (int i = 0; i < depth; i++) {
            out.write(' ');
            out.write(' ');
        }
    }
}
