package io.tidemark.query.changes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.diff.FieldPath;
import org.jspecify.annotations.Nullable;

/**
 * A field that a change has changed.
 *
 * @param path such as {@code spec.containers[name=app].image}
 * @param before in JSON; null if the field was added, or its value is hidden
 * @param after in JSON; null if the field was removed, or its value is hidden
 * @param cut whether of the path, a value or the manager only the beginning is shown
 * @param hidden whether the values are hidden
 * @param manager who manages the field since; empty when that is not known
 */
public record FieldChange(
        String path,
        @Nullable String before,
        @Nullable String after,
        boolean cut,
        boolean hidden,
        String manager) {
    /** Longest JSON of a value, in characters; of longer ones the beginning is shown as text. */
    static final int MAX_VALUE = 256;

    static FieldChange of(
            FieldPath path, @Nullable JsonNode before, @Nullable JsonNode after, String manager) {
        @Nullable String was = before == null ? null : before.toString();
        @Nullable String is = after == null ? null : after.toString();
        String text = path.text(CutText.MOST + 1);
        return new FieldChange(
                CutText.cut(text),
                cut(before, was),
                cut(after, is),
                isLong(was) || isLong(is) || CutText.isLong(text) || CutText.isLong(manager),
                false,
                CutText.cut(manager));
    }

    static FieldChange hidden(FieldPath path, String manager) {
        FieldChange shown = of(path, null, null, manager);
        return new FieldChange(shown.path, null, null, shown.cut, true, shown.manager);
    }

    private static boolean isLong(@Nullable String json) {
        return json != null && json.length() > MAX_VALUE;
    }

    private static @Nullable String cut(@Nullable JsonNode value, @Nullable String json) {
        if (value == null || json == null || !isLong(json)) {
            return json;
        }
        String text = value.isTextual() ? value.textValue() : json;
        return TextNode.valueOf(CutText.cut(text, MAX_VALUE)).toString();
    }
}
