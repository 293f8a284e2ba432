package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * A field that a change has changed.
 *
 * @param path such as {@code spec.containers[name=app].image}
 * @param before null if the field was added, or its value is hidden
 * @param after null if the field was removed, or its value is hidden
 * @param shown whether the values are whole, cut or hidden
 * @param manager who manages the field since; empty when that is not known
 */
public record FieldChange(
        String path,
        @Nullable JsonNode before,
        @Nullable JsonNode after,
        Shown shown,
        String manager) {
    /** Longest JSON of a value, in characters; of longer ones the beginning is shown as text. */
    static final int MAX_VALUE = 256;

    /** How much of the values is shown. */
    public enum Shown {
        WHOLE,
        CUT,
        HIDDEN
    }

    static FieldChange of(
            String path, @Nullable JsonNode before, @Nullable JsonNode after, String manager) {
        boolean cut = isLong(before) || isLong(after);
        return new FieldChange(
                path, cut(before), cut(after), cut ? Shown.CUT : Shown.WHOLE, manager);
    }

    static FieldChange hidden(String path, String manager) {
        return new FieldChange(path, null, null, Shown.HIDDEN, manager);
    }

    private static boolean isLong(@Nullable JsonNode value) {
        return value != null && value.toString().length() > MAX_VALUE;
    }

    private static @Nullable JsonNode cut(@Nullable JsonNode value) {
        if (value == null || !isLong(value)) {
            return value;
        }
        String text = value.isTextual() ? value.textValue() : value.toString();
        int end = Math.min(MAX_VALUE, text.length());
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return TextNode.valueOf(text.substring(0, end));
    }
}
