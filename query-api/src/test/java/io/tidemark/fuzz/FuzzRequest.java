package io.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * One or more requests that are sent in one piece.
 *
 * @param seed reproduces the request
 * @param wire the bytes, one per character
 * @param answers number of required responses; fewer or none for {@link Form#MALFORMED}
 * @param head whether the responses have no body
 * @param mayShow tenants whose objects the responses may contain
 * @param endless whether a response may be unbounded once it has begun
 */
record FuzzRequest(
        long seed,
        String wire,
        Form form,
        int answers,
        boolean head,
        Set<String> mayShow,
        boolean endless) {
    /** The form of the request, which decides whether the connection can be reused. */
    enum Form {
        /** Complete: further requests may follow. */
        WHOLE,
        /** Complete, but its end is ambiguous. */
        LAST,
        /** Truncated, or not HTTP. */
        MALFORMED
    }

    byte[] bytes() {
        return wire.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** For people: escaped and shortened. */
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
