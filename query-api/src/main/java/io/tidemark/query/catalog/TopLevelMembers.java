package io.tidemark.query.catalog;

import java.util.Optional;

/**
 * Finds members of a JSON object's first level without decoding it. The text is trusted to be a
 * JSON object, as stored values are; on anything else it finds nothing, and never reads outside.
 */
public final class TopLevelMembers {
    private final byte[] json;
    private final int end;
    private int at;

    private TopLevelMembers(byte[] json, int fromInclusive, int toExclusive) {
        this.json = json;
        this.at = fromInclusive;
        this.end = toExclusive;
    }

    /**
     * A member.
     *
     * @param from where its name's quote stands
     * @param valueFrom and {@code valueTo}: its value, the end exclusive
     */
    public record Member(int from, int valueFrom, int valueTo) {}

    /**
     * @param name without characters that JSON escapes
     */
    public static Optional<Member> find(
            byte[] json, int fromInclusive, int toExclusive, String name) {
        return new TopLevelMembers(json, fromInclusive, toExclusive).find(name);
    }

    private Optional<Member> find(String name) {
        skipBlanks();
        if (!take('{')) {
            return Optional.empty();
        }
        while (true) {
            skipBlanks();
            int from = at;
            if (from >= end || json[from] != '"') {
                return Optional.empty();
            }
            skipString();
            boolean found = isName(from, name);
            skipBlanks();
            if (!take(':')) {
                return Optional.empty();
            }
            skipBlanks();
            int valueFrom = at;
            skipValue();
            if (found) {
                return Optional.of(new Member(from, valueFrom, Math.min(at, end)));
            }
            skipBlanks();
            if (!take(',')) {
                return Optional.empty();
            }
        }
    }

    private boolean isName(int from, String name) {
        if (at - from != name.length() + 2) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (json[from + 1 + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private void skipValue() {
        int depth = 0;
        while (at < end) {
            switch (json[at]) {
                case '"' -> skipString();
                case '{', '[' -> {
                    depth++;
                    at++;
                }
                case '}', ']' -> {
                    if (depth == 0) {
                        return;
                    }
                    depth--;
                    at++;
                }
                case ',' -> {
                    if (depth == 0) {
                        return;
                    }
                    at++;
                }
                default -> at++;
            }
            if (depth == 0 && at < end && (json[at] == ',' || json[at] == '}')) {
                return;
            }
        }
    }

    private void skipString() {
        at++;
        while (at < end && json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        at++;
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
