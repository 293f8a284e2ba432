package io.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * What goes over the wire in one piece.
 *
 * @param seed makes the same request again
 * @param wire every character a byte
 * @param answers how many answers must come; fewer, or none, when it is {@link Form#MALFORMED}
 * @param head whether the answers have no body
 * @param mayShow tenants whose objects the answers may show
 * @param endless whether an answer may go on for as long as it likes, once it has begun
 */
record FuzzRequest(
        long seed,
        String wire,
        Form form,
        int answers,
        boolean head,
        Set<String> mayShow,
        boolean endless) {
    /** What becomes of the connection. */
    enum Form {
        /** Complete: further requests may follow. */
        WHOLE,
        /** Complete, but nothing that follows could be told from it. */
        LAST,
        /** Cut off, or no HTTP at all. */
        MALFORMED
    }

    byte[] bytes() {
        return wire.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** For people: what cannot be printed is escaped, what is long is cut. */
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder("seed " + seed + " " + form + ": ");
        int shown = Math.min(wire.length(), 2_000);
        for (int i = 0; i < shown; i++) {
            char c = wire.charAt(i);
            if (c == '\r' || c == '\n') {
                out.append(c == '\r' ? "\\r" : "\\n\n");
            } else if (c < 0x20 || c > 0x7e) {
                out.append("\\x%02x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        return out + (shown < wire.length() ? "… %d bytes".formatted(wire.length()) : "");
    }
}
