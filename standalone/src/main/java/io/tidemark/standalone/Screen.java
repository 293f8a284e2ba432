package io.tidemark.standalone;

import java.io.PrintStream;
import java.util.Locale;

/** What a command tells its user, on standard output: short lines, the part first. */
final class Screen {
    private final PrintStream out;
    private String last = "";

    Screen(PrintStream out) {
        this.out = out;
    }

    /** One line about a part, if there is something to say; the same line again is not shown. */
    synchronized void say(String part, String text) {
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

    /** Lines as they are. */
    synchronized void print(String lines) {
        last = "";
        out.println(lines);
        out.flush();
    }

    /** A number with separators, for people. */
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
