package io.tidemark.kubernetes;

import io.tidemark.json.ValidJson;

/**
 * Scans JSON for the kind and apiVersion of objects: of the text itself, of an array's elements, of
 * concatenated texts, and of a List's items. Lenient, so that it finds everything that some reader
 * may take for a Secret: member names match in any case and with escapes, both of duplicate members
 * count, and truncated text counts up to its end.
 */
final class TypeMetaScan {
    /** Nested lists: more than any writer produces. */
    private static final int MAX_LISTS = 4;

    /** The longest relevant name, with every character escaped. */
    private static final int MAX_ESCAPED = 6 * "secretlist".length();

    private final byte[] json;
    private final int end;
    private final boolean canonical;
    private int at;

    /**
     * @param canonical whether the object's first kind and apiVersion are its only ones
     */
    TypeMetaScan(byte[] json, int fromInclusive, int toExclusive, boolean canonical) {
        this.json = json;
        this.at = fromInclusive;
        this.end = Math.min(toExclusive, json.length);
        this.canonical = canonical;
    }

    boolean anySecret() {
        skipByteOrderMark();
        return anySecret(0, 0);
    }

    /**
     * Scans the objects from here to the end of the text or of the enclosing array.
     *
     * @param arrays 1 within an array, else 0
     */
    private boolean anySecret(int arrays, int lists) {
        int depth = arrays;
        while (true) {
            skipSeparators();
            if (at >= end) {
                return false;
            }
            switch (json[at]) {
                case '{' -> {
                    if (isSecret(lists)) {
                        return true;
                    }
                }
                case '[' -> {
                    depth++;
                    at++;
                }
                case ']' -> {
                    depth--;
                    at++;
                    if (depth < arrays) {
                        return false;
                    }
                }
                default -> {
                    int before = at;
                    skipValue();
                    if (depth == 0 || at == before) {
                        return false; // No JSON that could hold an object.
                    }
                }
            }
        }
    }

    /** Whether the object that begins here is a Secret; advances past it. */
    private boolean isSecret(int lists) {
        boolean v1 = false;
        boolean otherVersion = false;
        boolean secret = false;
        boolean list = false;
        boolean otherKind = false;
        int items = -1;
        at++;
        while (true) {
            skipSeparators();
            if (at >= end || json[at] != '"') {
                at += at < end ? 1 : 0;
                break;
            }
            int nameFrom = at + 1;
            at = ValidJson.afterString(json, at, end);
            int nameTo = at - 1;
            skipSeparators();
            int valueFrom = at;
            skipValue();
            if (spells(nameFrom, nameTo, "apiversion")) {
                v1 |= matches(valueFrom, "v1");
                otherVersion = !v1;
            } else if (spells(nameFrom, nameTo, "kind")) {
                secret |= matches(valueFrom, "secret") || matches(valueFrom, "secretlist");
                list |= matches(valueFrom, "list");
                otherKind = !secret && !list;
            } else if (spells(nameFrom, nameTo, "items") && items < 0) {
                items = valueFrom;
            }
            boolean decided = (v1 && secret) || (canonical && (otherVersion || otherKind));
            if (decided) {
                return v1 && secret;
            }
        }
        return v1 && list && items >= 0 && lists < MAX_LISTS && anyItemIsSecret(items, lists + 1);
    }

    private boolean anyItemIsSecret(int items, int lists) {
        if (items >= end || json[items] != '[') {
            return false;
        }
        int behind = at;
        at = items + 1;
        boolean any = anySecret(1, lists);
        at = behind;
        return any;
    }

    /** Whether the string that begins here is this one. */
    private boolean matches(int valueFrom, String lowerCase) {
        return valueFrom < at && json[valueFrom] == '"' && spells(valueFrom + 1, at - 1, lowerCase);
    }

    private boolean spells(int from, int to, String lowerCase) {
        int length = to - from;
        if (length == lowerCase.length()) {
            for (int i = 0; i < length; i++) {
                if ((json[from + i] | 0x20) != (lowerCase.charAt(i) | 0x20)) {
                    return false;
                }
            }
            return true;
        }
        return length > lowerCase.length()
                && length <= MAX_ESCAPED
                && hasEscape(from, to)
                && ValidJson.unescaped(json, from, to).equalsIgnoreCase(lowerCase);
    }

    private boolean hasEscape(int from, int to) {
        for (int i = from; i < to; i++) {
            if (json[i] == '\\') {
                return true;
            }
        }
        return false;
    }

    private void skipValue() {
        at = ValidJson.afterValue(json, at, end);
    }

    private void skipSeparators() {
        while (at < end && (json[at] == ',' || json[at] == ':' || ValidJson.isBlank(json[at]))) {
            at++;
        }
    }

    private void skipByteOrderMark() {
        boolean marked =
                end - at >= 3
                        && json[at] == (byte) 0xef
                        && json[at + 1] == (byte) 0xbb
                        && json[at + 2] == (byte) 0xbf;
        at += marked ? 3 : 0;
    }
}
