package io.tidemark.kubernetes;

import io.tidemark.json.ValidJson;

/**
 * Scans JSON for the kind and apiVersion of objects: of the text itself, of an array's elements, of
 * concatenated texts, and of a List's items. Lenient, so that it finds everything that some reader
 * may take for an object of a selected kind: member names match in any case and with escapes, both
 * of duplicate members count, and truncated text counts up to its end.
 */
final class TypeMetaScan {
    /** Nested lists: more than any writer produces. */
    private static final int MAX_LISTS = 4;

    private final byte[] json;
    private final int end;
    private final KindSelector selector;
    private int at;
    private long found;

    /** Whether a single selection is enough. */
    private boolean any;

    TypeMetaScan(byte[] json, int fromInclusive, int toExclusive, KindSelector selector) {
        this.json = json;
        this.at = fromInclusive;
        this.end = Math.min(toExclusive, json.length);
        this.selector = selector;
    }

    /** Some of the selections in any text; 0 only if there is none. */
    long inText() {
        any = true;
        skipByteOrderMark();
        readAll(0, 0);
        return found;
    }

    /** All selections in one object, whose first exact kind and apiVersion are its only ones. */
    long inObject() {
        skipByteOrderMark();
        skipSeparators();
        if (at < end && json[at] == '{') {
            readObject(0, true);
        }
        return found;
    }

    /**
     * Reads the objects from here to the end of the text or of the enclosing array.
     *
     * @param arrays 1 within an array, else 0
     */
    private void readAll(int arrays, int lists) {
        int depth = arrays;
        while (!isDone()) {
            skipSeparators();
            if (at >= end) {
                return;
            }
            switch (json[at]) {
                case '{' -> readObject(lists, false);
                case '[' -> {
                    depth++;
                    at++;
                }
                case ']' -> {
                    depth--;
                    at++;
                    if (depth < arrays) {
                        return;
                    }
                }
                default -> {
                    int before = at;
                    skipValue();
                    if (depth == 0 || at == before) {
                        return; // No JSON that could hold an object.
                    }
                }
            }
        }
    }

    private boolean isDone() {
        return any && found != 0;
    }

    /**
     * Reads the object that begins here, and advances past it unless its kind is known before.
     *
     * @param canonical whether the first exact kind and apiVersion are its only ones
     */
    private void readObject(int lists, boolean canonical) {
        long versions = 0;
        long kinds = 0;
        boolean v1 = false;
        boolean list = false;
        boolean versionKnown = false;
        boolean kindKnown = false;
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
            boolean text = at - valueFrom >= 2 && json[valueFrom] == '"';
            if (spells(nameFrom, nameTo, "apiversion")) {
                versions |= text ? selector.apiVersions(json, valueFrom + 1, at - 1) : 0;
                v1 |= text && spells(valueFrom + 1, at - 1, "v1");
                versionKnown |= canonical && isExactly(nameFrom, nameTo, "apiVersion");
            } else if (spells(nameFrom, nameTo, "kind")) {
                kinds |= text ? selector.kinds(json, valueFrom + 1, at - 1) : 0;
                list |= text && spells(valueFrom + 1, at - 1, "list");
                kindKnown |= canonical && isExactly(nameFrom, nameTo, "kind");
            } else if (spells(nameFrom, nameTo, "items") && items < 0) {
                items = valueFrom;
            }
            found |= versions & kinds;
            boolean otherVersion = versionKnown && versions == 0 && !v1;
            boolean otherKind = kindKnown && kinds == 0 && !list;
            boolean allKnown = versionKnown && kindKnown && !(v1 && list);
            if (isDone() || otherVersion || otherKind || allKnown) {
                return;
            }
        }
        if (v1 && list && items >= 0 && lists < MAX_LISTS) {
            readItems(items, lists + 1);
        }
    }

    private void readItems(int items, int lists) {
        if (items >= end || json[items] != '[') {
            return;
        }
        int behind = at;
        at = items + 1;
        readAll(1, lists);
        at = behind;
    }

    private boolean spells(int from, int to, String lowerCase) {
        return spells(json, from, to, lowerCase);
    }

    /** Whether a string's content spells this, in any case and with any escapes. */
    static boolean spells(byte[] json, int from, int to, String lowerCase) {
        int length = to - from;
        if (length == lowerCase.length()) {
            return begins(json, from, to, lowerCase);
        }
        return length > lowerCase.length()
                && length <= 6 * lowerCase.length()
                && hasEscape(json, from, to)
                && ValidJson.unescaped(json, from, to).equalsIgnoreCase(lowerCase);
    }

    /** Whether bytes begin with this, in any case; an escape is no letter. */
    static boolean begins(byte[] text, int from, int to, String lowerCase) {
        if (to - from < lowerCase.length()) {
            return false;
        }
        for (int i = 0; i < lowerCase.length(); i++) {
            if ((text[from + i] | 0x20) != (lowerCase.charAt(i) | 0x20)) {
                return false;
            }
        }
        return true;
    }

    /** For names that are known to spell this one in some way. */
    private boolean isExactly(int from, int to, String name) {
        if (hasEscape(json, from, to)) {
            return ValidJson.unescaped(json, from, to).equals(name);
        }
        for (int i = 0; i < name.length(); i++) {
            if (json[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasEscape(byte[] json, int from, int to) {
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
