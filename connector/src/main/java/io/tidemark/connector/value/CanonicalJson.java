package io.tidemark.connector.value;

import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Converts a Kubernetes object's stored JSON to its canonical JSON, in one pass over the bytes: no
 * whitespace between tokens, members in their order, numbers and strings with their original bytes,
 * and {@code metadata.resourceVersion} set to the object's revision, in place or as metadata's last
 * member.
 *
 * <p>The text must be strict JSON no deeper than {@value #MAX_DEPTH}; an object must have string
 * members {@code apiVersion} and {@code kind} and an object {@code metadata} with a string {@code
 * name}. One with duplicates of these, or of the resource version, is rejected: readers would not
 * agree on which one counts.
 */
public final class CanonicalJson {
    public static final int MAX_DEPTH = 500;

    /** Classification of the bytes. */
    public sealed interface Outcome {
        /** A Kubernetes object, in its canonical form. */
        record Canonical(Bytes json) implements Outcome {}

        /** JSON, but not a Kubernetes object. */
        record NoObject(String why) implements Outcome {}

        /** Not JSON. */
        record Malformed(String why) implements Outcome {}
    }

    /** The required members and the resource version; each is one bit of {@link #seen}. */
    private static final int NONE = 0;

    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final int METADATA = 4;
    private static final int NAME = 8;
    private static final int RESOURCE_VERSION = 16;
    private static final int NEEDED = API_VERSION | KIND | METADATA | NAME;

    private final byte[] in;
    private final JsonTokens tokens;
    private final CopiedText out;
    private final long revision;
    private final boolean[] inObject = new boolean[MAX_DEPTH + 1];
    private int depth;
    private int member;
    private boolean inMetadata;
    private int seen;
    private @Nullable String noObject;

    private CanonicalJson(byte[] in, long revision) {
        this.in = in;
        this.tokens = new JsonTokens(in);
        this.revision = revision;
        this.out = new CopiedText(in);
    }

    /**
     * Never throws, for any input.
     *
     * @param revision becomes the object's resource version
     */
    public static Outcome of(Bytes value, long revision) {
        CanonicalJson json = new CanonicalJson(value.array(), revision);
        if (!json.text()) {
            return new Outcome.Malformed(json.tokens.error());
        }
        if (json.noObject != null) {
            return new Outcome.NoObject(json.noObject);
        }
        if ((json.seen & NEEDED) != NEEDED) {
            return new Outcome.NoObject("it has no " + json.missing());
        }
        return new Outcome.Canonical(json.out.written());
    }

    private String missing() {
        int absent = NEEDED & ~seen;
        return (absent & API_VERSION) != 0
                ? "apiVersion"
                : (absent & KIND) != 0
                        ? "kind"
                        : (absent & METADATA) != 0 ? "metadata" : "metadata.name";
    }

    private boolean text() {
        if (!value()) {
            return false;
        }
        while (depth > 0) {
            skipWhitespace();
            if (!(inObject[depth] ? nextMember() : nextElement())) {
                return false;
            }
        }
        out.copyThrough(tokens.at());
        tokens.skipWhitespace();
        return tokens.peek() < 0 || tokens.fail("something after the end");
    }

    /** Consumes a scalar, or enters an object or array; drops whitespace before it. */
    private boolean value() {
        skipWhitespace();
        int first = tokens.peek();
        checkType(first);
        return switch (first) {
            case '{' -> enter(true);
            case '[' -> enter(false);
            case '"' -> tokens.string();
            case 't' -> tokens.literal("true");
            case 'f' -> tokens.literal("false");
            case 'n' -> tokens.literal("null");
            case -1 -> tokens.fail("the text ends");
            default -> tokens.number();
        };
    }

    private boolean enter(boolean object) {
        if (depth == MAX_DEPTH) {
            return tokens.fail("nested deeper than " + MAX_DEPTH);
        }
        if (depth == 1 && member == METADATA) {
            inMetadata = object;
        }
        depth++;
        inObject[depth] = object;
        tokens.skip();
        skipWhitespace();
        if (tokens.peek() == (object ? '}' : ']')) {
            return leave();
        }
        return object ? memberHere() : value();
    }

    /** Closes the current object or array, at its bracket. */
    private boolean leave() {
        if (depth == 2 && inMetadata) {
            if ((seen & RESOURCE_VERSION) == 0) {
                out.copyThrough(tokens.at());
                // An empty metadata lacks the name, so it is never an object's.
                out.append(",\"resourceVersion\":\"" + revision + "\"");
            }
            inMetadata = false;
        }
        tokens.skip();
        depth--;
        return true;
    }

    private boolean nextElement() {
        return switch (tokens.peek()) {
            case ',' -> {
                tokens.skip();
                yield value();
            }
            case ']' -> leave();
            default -> tokens.fail("no , or ] after an element");
        };
    }

    private boolean nextMember() {
        return switch (tokens.peek()) {
            case ',' -> {
                tokens.skip();
                skipWhitespace();
                yield memberHere();
            }
            case '}' -> leave();
            default -> tokens.fail("no , or } after a member");
        };
    }

    private boolean memberHere() {
        if (tokens.peek() != '"') {
            return tokens.fail("no member name");
        }
        int nameFrom = tokens.at() + 1;
        if (!tokens.string()) {
            return false;
        }
        member = memberNamed(nameFrom, tokens.at() - 1);
        skipWhitespace();
        if (tokens.peek() != ':') {
            return tokens.fail("no : after a member name");
        }
        tokens.skip();
        return member == RESOURCE_VERSION ? replacedValue() : value();
    }

    /** Writes the revision in place of the value; only a scalar is replaced. */
    private boolean replacedValue() {
        out.copyThrough(tokens.at());
        out.append("\"" + revision + "\"");
        tokens.skipWhitespace();
        int first = tokens.peek();
        if (first == '{' || first == '[') {
            noObject = "metadata.resourceVersion is no string";
        }
        note(RESOURCE_VERSION, "metadata.resourceVersion");
        member = NONE;
        if (!value()) {
            return false;
        }
        out.leaveOutThrough(tokens.at());
        return true;
    }

    private int memberNamed(int from, int to) {
        if (depth == 1 && inObject[1]) {
            return isName(from, to, "apiVersion")
                    ? API_VERSION
                    : isName(from, to, "kind")
                            ? KIND
                            : isName(from, to, "metadata") ? METADATA : NONE;
        }
        if (depth == 2 && inMetadata) {
            return isName(from, to, "name")
                    ? NAME
                    : isName(from, to, "resourceVersion") ? RESOURCE_VERSION : NONE;
        }
        return NONE;
    }

    private boolean isName(int from, int to, String name) {
        for (int i = from; i < to; i++) {
            if (in[i] == '\\') {
                return name.equals(unescaped(from, to));
            }
        }
        if (to - from != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (in[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** A member name, in the rare case that it has escapes; these are known to be well formed. */
    private String unescaped(int from, int to) {
        String text = new String(in, from, to - from, StandardCharsets.UTF_8);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                plain.append(c);
                continue;
            }
            i++;
            if (text.charAt(i) == 'u') {
                plain.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
                i += 4;
            } else {
                // No name of interest contains a character that these escapes stand for.
                plain.append('\\').append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    /** Checks the type of a member of interest, by its first byte. */
    private void checkType(int first) {
        if (depth == 0 && first != '{') {
            noObject = "it is no JSON object";
        }
        if (member == NONE || depth == 0) {
            return;
        }
        boolean atRoot = depth == 1 && inObject[1];
        switch (member) {
            case API_VERSION -> expect(atRoot, first, '"', API_VERSION, "apiVersion");
            case KIND -> expect(atRoot, first, '"', KIND, "kind");
            case METADATA -> expect(atRoot, first, '{', METADATA, "metadata");
            case NAME -> expect(depth == 2, first, '"', NAME, "metadata.name");
            default -> {}
        }
    }

    private void expect(boolean here, int first, char wanted, int bit, String name) {
        if (!here) {
            return;
        }
        if (first != wanted) {
            noObject = name + " is no " + (wanted == '"' ? "string" : "object");
        }
        note(bit, name);
    }

    private void note(int bit, String name) {
        if ((seen & bit) != 0) {
            noObject = "it has two members " + name;
        }
        seen |= bit;
    }

    private void skipWhitespace() {
        int before = tokens.at();
        tokens.skipWhitespace();
        if (tokens.at() > before) {
            out.copyThrough(before);
            out.leaveOutThrough(tokens.at());
        }
    }
}
