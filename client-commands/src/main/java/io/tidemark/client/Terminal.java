package io.tidemark.client;

import java.io.Console;
import java.io.PrintWriter;

/** Where a command writes, and whether in colours. Lines are flushed as they are written. */
final class Terminal {
    private static final String END = "\u001b[0m";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean colours;

    Terminal(PrintWriter out, PrintWriter err, boolean colours) {
        this.out = out;
        this.err = err;
        this.colours = colours;
    }

    /** What colours stand for here. */
    enum Colour {
        ADDED("\u001b[32m"),
        MODIFIED("\u001b[33m"),
        DELETED("\u001b[31m"),
        HEAD("\u001b[1m"),
        NONE("");

        private final String code;

        Colour(String code) {
            this.code = code;
        }

        static Colour ofEvent(String type) {
            return switch (type) {
                case "ADDED" -> ADDED;
                case "MODIFIED" -> MODIFIED;
                case "DELETED" -> DELETED;
                default -> NONE;
            };
        }
    }

    /** Whether a person looks at standard output who has not asked for plain text. */
    static boolean isColourful(String noColour) {
        Console console = System.console();
        return noColour.isEmpty() && console != null && console.isTerminal();
    }

    void line(Colour colour, String text) {
        out.println(painted(colour, text));
        out.flush();
    }

    void line(String text) {
        line(Colour.NONE, text);
    }

    /** A document as it is, with a line feed at its end. */
    void document(String text) {
        out.print(text.endsWith("\n") ? text : text + "\n");
        out.flush();
    }

    /** Begins anew at the top, where a person looks; elsewhere a line parts one from the next. */
    void clear() {
        out.print(colours ? "\u001b[H\u001b[2J" : "\n");
        out.flush();
    }

    /** About the answer, not of it. */
    void remark(String text) {
        err.println(text);
        err.flush();
    }

    private String painted(Colour colour, String text) {
        return colours && !colour.code.isEmpty() ? colour.code + text + END : text;
    }
}
