package io.tidemark.client;

import java.io.Console;
import java.io.PrintWriter;

/**
 * A command's output, optionally in colours. Flushes every line. Lines and remarks show control
 * characters as escapes; documents stay as they are.
 */
public final class Terminal {
    private static final String END = "\u001b[0m";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean colours;

    Terminal(PrintWriter out, PrintWriter err, boolean colours) {
        this.out = out;
        this.err = err;
        this.colours = colours;
    }

    /** The meanings of colours. */
    public enum Colour {
        ADDED("\u001b[32m"),
        MODIFIED("\u001b[33m"),
        DELETED("\u001b[31m"),
        HEAD("\u001b[1m"),
        NONE("");

        private final String code;

        Colour(String code) {
            this.code = code;
        }

        public static Colour ofEvent(String type) {
            return switch (type) {
                case "ADDED" -> ADDED;
                case "MODIFIED" -> MODIFIED;
                case "DELETED" -> DELETED;
                default -> NONE;
            };
        }
    }

    /** Whether standard output is a terminal and {@code NO_COLOR} is not set. */
    static boolean isColourful(String noColour) {
        Console console = System.console();
        return noColour.isEmpty() && console != null && console.isTerminal();
    }

    /**
     * Prints a line of text.
     *
     * @throws OutputException when standard output takes no more
     */
    public void line(Colour colour, String text) {
        out.println(painted(colour, safe(text)));
        flush();
    }

    /**
     * Prints a line of text.
     *
     * @throws OutputException when standard output takes no more
     */
    public void line(String text) {
        line(Colour.NONE, text);
    }

    /**
     * Prints a document for programs, such as JSON, and a line feed if it does not end with one.
     *
     * @throws OutputException when standard output takes no more
     */
    public void document(String text) {
        out.print(text.endsWith("\n") ? text : text + "\n");
        flush();
    }

    /** Clears a terminal; otherwise prints an empty line. */
    void clear() {
        out.print(colours ? "\u001b[H\u001b[2J" : "\n");
        flush();
    }

    /** Prints a line about the output to standard error. */
    public void remark(String text) {
        err.println(safe(text));
        err.flush();
    }

    /** A PrintWriter throws nothing: it must be asked whether a write failed. */
    private void flush() {
        if (out.checkError()) {
            throw new OutputException();
        }
    }

    /**
     * Escapes control characters and those that change the direction of text: an object that has
     * them must not move the cursor or disguise a line.
     */
    public static String safe(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(c -> {
                    if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                        safe.append("\\u%04x".formatted(c));
                    } else {
                        safe.appendCodePoint(c);
                    }
                });
        return safe.toString();
    }

    private String painted(Colour colour, String text) {
        return colours && !colour.code.isEmpty() ? colour.code + text + END : text;
    }
}
