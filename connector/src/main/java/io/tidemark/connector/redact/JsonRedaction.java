package io.tidemark.connector.redact;

import io.tidemark.json.JsonBuffer;
import io.tidemark.json.JsonScanner;
import io.tidemark.json.JsonScanner.Token;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces values in one JSON text, in one pass, and copies all other bytes. Keeps the places of
 * the open objects and arrays only as deep as paths lead. Both of duplicate members are replaced.
 */
final class JsonRedaction {
    /** Above what the connector accepts. */
    private static final int MAX_DEPTH = 1_000;

    private static final List<PathNode> NOWHERE = List.of();

    private final byte[] in;
    private final JsonScanner json;
    private final JsonBuffer out;

    /** The places of each open object or array, the innermost last. */
    private final List<List<PathNode>> open = new ArrayList<>();

    /** Whether each of these is an object. */
    private final List<Boolean> objects = new ArrayList<>();

    /** The places of the next value, if it is a member's. */
    private List<PathNode> named = NOWHERE;

    /** Up to here the input is in the output. */
    private int copied;

    private JsonRedaction(Bytes text, int maxBytes) {
        this.in = text.array();
        this.json = new JsonScanner(in, 0, in.length, MAX_DEPTH, true);
        this.out = new JsonBuffer(in.length + 64, maxBytes);
    }

    /**
     * The text without the values at these places.
     *
     * @param roots the places of the whole text
     * @throws io.tidemark.json.MalformedJsonException when it is not one JSON value
     * @throws io.tidemark.json.JsonTooLargeException when it changes and would exceed the limit
     */
    static Bytes of(Bytes text, List<PathNode> roots, int maxBytes) {
        JsonRedaction redaction = new JsonRedaction(text, maxBytes);
        redaction.read(roots);
        return redaction.written(text);
    }

    private void read(List<PathNode> roots) {
        for (Token token = json.next(); token != Token.END; token = json.next()) {
            switch (token) {
                case NAME -> named = membersPlaces();
                case CLOSE -> {
                    open.removeLast();
                    objects.removeLast();
                }
                default -> value(token, open.isEmpty() ? roots : places());
            }
        }
    }

    private List<PathNode> places() {
        return objects.getLast() ? named : elementsPlaces();
    }

    private List<PathNode> elementsPlaces() {
        List<PathNode> places = new ArrayList<>(2);
        open.getLast().forEach(place -> place.addElement(places));
        return places;
    }

    private List<PathNode> membersPlaces() {
        int from = json.from() + 1;
        int to = json.to() - 1;
        boolean escaped = hasEscape(from, to);
        List<PathNode> places = new ArrayList<>(2);
        open.getLast().forEach(place -> place.addMember(in, from, to, escaped, places));
        return places;
    }

    private boolean hasEscape(int from, int to) {
        for (int i = from; i < to; i++) {
            if (in[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private void value(Token token, List<PathNode> places) {
        int from = json.from();
        Bytes replacement = replacement(places);
        boolean opens = token != Token.SCALAR;
        if (opens && replacement == null && !places.isEmpty()) {
            open.add(places);
            objects.add(token == Token.OBJECT);
            return;
        }
        if (opens) {
            skipToClose();
        }
        if (replacement != null) {
            out.put(in, copied, from);
            out.put(replacement.array());
            copied = json.to();
        }
    }

    /** All places of one value have the same replacement, if any. */
    private static @Nullable Bytes replacement(List<PathNode> places) {
        for (PathNode place : places) {
            if (place.replacement() != null) {
                return place.replacement();
            }
        }
        return null;
    }

    /** To the end of the object or array that has just begun. */
    private void skipToClose() {
        int depth = json.depth();
        while (json.depth() >= depth) {
            Token _ = json.next();
        }
    }

    private Bytes written(Bytes text) {
        if (copied == 0) {
            return text;
        }
        out.put(in, copied, in.length);
        return Bytes.wrap(out.toByteArray());
    }
}
