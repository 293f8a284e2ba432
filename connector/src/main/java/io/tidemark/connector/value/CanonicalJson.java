package io.tidemark.connector.value;

import io.tidemark.json.CompactJson;
import io.tidemark.json.JsonScanner;
import io.tidemark.json.JsonScanner.Token;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.json.ValidJson;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Converts a Kubernetes object's stored JSON to its canonical JSON, in one pass over the bytes: no
 * whitespace between tokens, members in their order, numbers and strings with their original bytes,
 * and {@code metadata.resourceVersion} set to the object's revision, in place or as metadata's last
 * member. Its name is written without escapes: stores look for the bytes of it.
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
    private final JsonScanner json;

    /** The member whose value follows. */
    private int member;

    private boolean inMetadata;
    private int seen;
    private @Nullable String noObject;

    /** Where the name of the last member of interest begins. */
    private int nameFrom;

    /** The bytes that the resource version replaces: itself, or none before metadata's end. */
    private int replacedFrom;

    private int replacedTo;

    private CanonicalJson(byte[] in) {
        this.in = in;
        this.json = new JsonScanner(in, 0, in.length, MAX_DEPTH, true);
    }

    /**
     * Never throws, for any input.
     *
     * @param revision becomes the object's resource version
     */
    public static Outcome of(Bytes value, long revision) {
        CanonicalJson object = new CanonicalJson(value.array());
        try {
            object.read();
        } catch (MalformedJsonException e) {
            return new Outcome.Malformed(e.problem() + " at byte " + e.position());
        }
        if (object.noObject != null) {
            return new Outcome.NoObject(object.noObject);
        }
        if ((object.seen & NEEDED) != NEEDED) {
            return new Outcome.NoObject("it has no " + object.missing());
        }
        return new Outcome.Canonical(Bytes.wrap(object.written(revision)));
    }

    private String missing() {
        int absent = NEEDED & ~seen;
        return (absent & API_VERSION) != 0
                ? "apiVersion"
                : (absent & KIND) != 0
                        ? "kind"
                        : (absent & METADATA) != 0 ? "metadata" : "metadata.name";
    }

    private void read() {
        Token token = json.next();
        if (token != Token.OBJECT) {
            noObject = "it is no JSON object";
        }
        for (token = json.next(); token != Token.END; token = json.next()) {
            switch (token) {
                case NAME -> {
                    nameFrom = json.from();
                    member = memberNamed(nameFrom + 1, json.to() - 1);
                }
                case CLOSE -> close();
                default -> {
                    if (member != NONE) {
                        value(token);
                    }
                }
            }
        }
    }

    private int memberNamed(int from, int to) {
        if (json.depth() == 1) {
            return isName(from, to, "apiVersion")
                    ? API_VERSION
                    : isName(from, to, "kind")
                            ? KIND
                            : isName(from, to, "metadata") ? METADATA : NONE;
        }
        if (json.depth() == 2 && inMetadata) {
            return isName(from, to, "name")
                    ? NAME
                    : isName(from, to, "resourceVersion") ? RESOURCE_VERSION : NONE;
        }
        return NONE;
    }

    private boolean isName(int from, int to, String name) {
        for (int i = from; i < to; i++) {
            if (in[i] == '\\') {
                return name.equals(ValidJson.unescaped(in, from, to));
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

    /** The first token of the value of a member of interest. */
    private void value(Token token) {
        switch (member) {
            case API_VERSION -> expect(in[json.from()] == '"', "apiVersion", "string");
            case KIND -> expect(in[json.from()] == '"', "kind", "string");
            case NAME -> expect(in[json.from()] == '"', "metadata.name", "string");
            case METADATA -> {
                inMetadata = token == Token.OBJECT;
                expect(inMetadata, "metadata", "object");
            }
            default -> {
                expect(token == Token.SCALAR, "metadata.resourceVersion", "string");
                replacedFrom = nameFrom;
                replacedTo = json.to();
            }
        }
        member = NONE;
    }

    private void expect(boolean typed, String name, String type) {
        if (!typed) {
            noObject = name + " is no " + type;
        }
        if ((seen & member) != 0) {
            noObject = "it has two members " + name;
        }
        seen |= member;
    }

    private void close() {
        if (inMetadata && json.depth() == 1) {
            inMetadata = false;
            if ((seen & RESOURCE_VERSION) == 0) {
                replacedFrom = json.from();
                replacedTo = replacedFrom;
            }
        }
    }

    private byte[] written(long revision) {
        // An empty metadata lacks the name, so it is never an object's.
        String separator = (seen & RESOURCE_VERSION) == 0 ? "," : "";
        byte[] version =
                (separator + "\"resourceVersion\":\"" + revision + "\"")
                        .getBytes(StandardCharsets.US_ASCII);
        int head = replacedFrom - json.textFrom();
        int tail = json.to() - replacedTo;
        byte[] out = new byte[head + version.length + tail];
        System.arraycopy(in, json.textFrom(), out, 0, head);
        System.arraycopy(version, 0, out, head, version.length);
        System.arraycopy(in, replacedTo, out, head + version.length, tail);
        return json.isCompact() ? out : CompactJson.withoutBlanks(out);
    }
}
