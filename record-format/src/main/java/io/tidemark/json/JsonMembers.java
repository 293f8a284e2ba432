package io.tidemark.json;

import java.util.Optional;

/**
 * Walks the members of a JSON object, or the elements of an array, without decoding them. Expects
 * valid JSON, as stored values are; on anything else the result is arbitrary, but it never reads
 * outside its bounds.
 */
public final class JsonMembers {
    private final byte[] json;
    private final int end;
    private int at;
    private boolean begun;
    private boolean named;
    private int nameFrom;
    private int nameTo;
    private int valueFrom;

    /** Walks the object or array that begins at an offset, after blanks. */
    public JsonMembers(byte[] json, int fromInclusive, int toExclusive) {
        this.json = json;
        this.at = fromInclusive;
        this.end = Math.min(toExclusive, json.length);
    }

    /**
     * A member.
     *
     * @param from the position of its name's opening quote
     * @param valueFrom and {@code valueTo}: its value, the end exclusive
     */
    public record Member(int from, int valueFrom, int valueTo) {}

    /**
     * The first member with a name, at the object's top level.
     *
     * @param name without characters that JSON escapes
     */
    public static Optional<Member> find(
            byte[] json, int fromInclusive, int toExclusive, String name) {
        JsonMembers members = new JsonMembers(json, fromInclusive, toExclusive);
        while (members.next()) {
            if (members.isNamed(name)) {
                return Optional.of(
                        new Member(members.nameFrom() - 1, members.valueFrom(), members.valueTo()));
            }
        }
        return Optional.empty();
    }

    /** Moves to the next member or element; false when there is none. */
    public boolean next() {
        skipBlanks();
        if (begun) {
            if (!take(',')) {
                return false;
            }
        } else {
            begun = true;
            named = take('{');
            if (!named && !take('[')) {
                return false;
            }
        }
        skipBlanks();
        if (named && !readName()) {
            return false;
        }
        valueFrom = at;
        at = ValidJson.afterValue(json, at, end);
        return at > valueFrom;
    }

    /** Whether the member has this name, which contains no characters that JSON escapes. */
    public boolean isNamed(String name) {
        if (nameTo - nameFrom != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (json[nameFrom + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** The start of the member's name, after its quote. */
    public int nameFrom() {
        return nameFrom;
    }

    public int nameTo() {
        return nameTo;
    }

    public int valueFrom() {
        return valueFrom;
    }

    public int valueTo() {
        return at;
    }

    private boolean readName() {
        if (at >= end || json[at] != '"') {
            return false;
        }
        nameFrom = at + 1;
        at = ValidJson.afterString(json, at, end);
        nameTo = at - 1;
        skipBlanks();
        if (!take(':')) {
            return false;
        }
        skipBlanks();
        return true;
    }

    private boolean take(char expected) {
        if (at < end && json[at] == expected) {
            at++;
            return true;
        }
        return false;
    }

    private void skipBlanks() {
        while (at < end
                && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
    }
}
