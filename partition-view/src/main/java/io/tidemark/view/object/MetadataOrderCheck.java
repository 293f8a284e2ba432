package io.tidemark.view.object;

import io.tidemark.json.ValidJson;
import java.util.Arrays;
import java.util.List;

/**
 * Checks in one pass, without a copy, whether {@link MetadataText} would write metadata as it is. A
 * negative answer may be wrong, a positive one never is. Expects valid JSON; on anything else the
 * answer is arbitrary, but nothing outside of the bounds is read.
 */
final class MetadataOrderCheck {
    private static final int WRONG = -1;

    private final byte[] json;
    private final int end;

    private MetadataOrderCheck(byte[] json, int end) {
        this.json = json;
        this.end = end;
    }

    /**
     * @param to the end of the metadata, exclusive
     */
    static boolean isOrdered(byte[] json, int from, int to) {
        MetadataOrderCheck check = new MetadataOrderCheck(json, to);
        return check.is(from, '{') && check.afterMembers(from, MetadataOrder.OBJECT) == to;
    }

    /** The end of the object at an offset; {@link #WRONG} when it would be written differently. */
    private int afterMembers(int from, List<String> order) {
        if (is(from + 1, '}')) {
            return from + 2;
        }
        int place = -1;
        int at = from;
        do {
            int nameFrom = at + 2;
            int nameTo = afterName(at + 1) - 2;
            if (nameTo < nameFrom) {
                return WRONG;
            }
            place = placeAfter(place, order, nameFrom, nameTo);
            if (place == order.size()) {
                return WRONG;
            }
            at = afterMember(nameTo + 2, order, order.get(place));
        } while (is(at, ','));
        return is(at, '}') ? at + 1 : WRONG;
    }

    /** The end of the name at an offset and its colon; {@link #WRONG} when there is none. */
    private int afterName(int quote) {
        if (!is(quote, '"')) {
            return WRONG;
        }
        int after = ValidJson.afterString(json, quote, end);
        return is(after, ':') ? after + 1 : WRONG;
    }

    /** The index of a name in the order, after another; the order's size when it is not there. */
    private int placeAfter(int last, List<String> order, int from, int to) {
        int place = last + 1;
        while (place < order.size() && !isName(order.get(place), from, to)) {
            place++;
        }
        return place;
    }

    private boolean isName(String name, int from, int to) {
        if (to - from != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            if (json[from + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int afterMember(int from, List<String> order, String name) {
        if (is(from, 'n') || (order == MetadataOrder.OBJECT && isEmpty(from))) {
            return WRONG;
        }
        return switch (name) {
            case "labels", "annotations" ->
                    is(from, '{') ? afterEntries(from, name.equals("annotations")) : value(from);
            case "ownerReferences" ->
                    is(from, '[') ? afterElements(from, MetadataOrder.OWNER) : value(from);
            case "managedFields" ->
                    is(from, '[') ? afterElements(from, MetadataOrder.MANAGER) : value(from);
            default -> value(from);
        };
    }

    /** The end of the value at an offset; {@link #WRONG} when there is none. */
    private int value(int from) {
        int after = ValidJson.afterValue(json, from, end);
        return after > from ? after : WRONG;
    }

    /** Whether an empty string, list or object is at an offset. */
    private boolean isEmpty(int from) {
        return is(from, '"') && is(from + 1, '"')
                || is(from, '[') && is(from + 1, ']')
                || is(from, '{') && is(from + 1, '}');
    }

    private int afterEntries(int from, boolean withoutDerived) {
        int at = from;
        int lastFrom = 0;
        int lastTo = 0;
        do {
            int nameFrom = at + 2;
            int nameTo = afterName(at + 1) - 2;
            if (nameTo < nameFrom
                    || Arrays.compareUnsigned(json, lastFrom, lastTo, json, nameFrom, nameTo) > 0
                    || (withoutDerived
                            && isName(MetadataOrder.DERIVED_ANNOTATION, nameFrom, nameTo))) {
                return WRONG;
            }
            lastFrom = nameFrom;
            lastTo = nameTo;
            at = value(nameTo + 2);
        } while (is(at, ','));
        return is(at, '}') ? at + 1 : WRONG;
    }

    private int afterElements(int from, List<String> order) {
        int at = from;
        do {
            at = is(at + 1, '{') ? afterMembers(at + 1, order) : value(at + 1);
        } while (is(at, ','));
        return is(at, ']') ? at + 1 : WRONG;
    }

    private boolean is(int at, char expected) {
        return at >= 0 && at < end && json[at] == expected;
    }
}
