package io.tidemark.standalone.screen;

import java.io.PrintStream;
import java.util.Locale;

/** A command's output for its user: short lines on standard output, the part first. */
public final class Screen {
    private final PrintStream out;
    private String last = "";

    public Screen(PrintStream out) {
        this.out = out;
    }

    /** Prints a line about a part; skips an empty text and a repetition of the last line. */
    public synchronized void say(String part, String text) {
        if (text.isEmpty()) {
            return;
        }
        String line = "%-10s%s".formatted(part, text);
        if (!line.equals(last)) {
            last = line;
            out.println(line);
            out.flush();
        }
    }

    /** Prints lines without a part. */
    public synchronized void print(String lines) {
        last = "";
        out.println(lines);
        out.flush();
    }

    /** A number with thousands separators. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
