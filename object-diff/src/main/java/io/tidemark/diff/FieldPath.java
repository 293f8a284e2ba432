package io.tidemark.diff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Where in a JSON document a field is. */
public record FieldPath(List<Step> steps) {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_$][\\w$-]*");

    /** One step down. */
    public sealed interface Step {
        /** What it leads to; missing if there is nothing. */
        JsonNode in(JsonNode parent);

        /** To a member of an object. */
        record Member(String name) implements Step {
            @Override
            public JsonNode in(JsonNode parent) {
                return parent.path(name);
            }
        }

        /** To the element of a list whose member {@code key} has a value. */
        record Element(String key, String value) implements Step {
            @Override
            public JsonNode in(JsonNode parent) {
                for (JsonNode element : parent) {
                    if (parent.isArray() && element.path(key).asText().equals(value)) {
                        return element;
                    }
                }
                return MissingNode.getInstance();
            }
        }

        /** To the element of a list at an index. */
        record Index(int index) implements Step {
            @Override
            public JsonNode in(JsonNode parent) {
                return parent.path(index);
            }
        }
    }

    public FieldPath {
        steps = List.copyOf(steps);
    }

    /** The path of these members. */
    public static FieldPath of(String... members) {
        return new FieldPath(Stream.of(members).<Step>map(Step.Member::new).toList());
    }

    /** The field's value in a document; missing if it has none. */
    public JsonNode in(JsonNode document) {
        JsonNode value = document;
        for (Step step : steps) {
            value = step.in(value);
        }
        return value;
    }

    /** Whether it begins with these members, and is longer or the same. */
    public boolean isBelow(String... members) {
        if (steps.size() < members.length) {
            return false;
        }
        for (int i = 0; i < members.length; i++) {
            if (!steps.get(i).equals(new Step.Member(members[i]))) {
                return false;
            }
        }
        return true;
    }

    /** Such as {@code spec.containers[name=app].image} or {@code metadata.labels["a/b"]}. */
    @Override
    public String toString() {
        return text(Integer.MAX_VALUE);
    }

    /** The first characters of {@link #toString}, whose length has no bound: names are content. */
    public String text(int most) {
        StringBuilder text = new StringBuilder();
        for (Step step : steps) {
            if (text.length() >= most) {
                break;
            }
            switch (step) {
                case Step.Member(String name) -> append(text, name, most);
                case Step.Element(String key, String value) -> {
                    text.append('[').append(key).append('=');
                    append(text, "", value, "]", most);
                }
                case Step.Index(int index) -> text.append('[').append(index).append(']');
            }
        }
        return text.substring(0, Math.min(most, text.length()));
    }

    private static void append(StringBuilder text, String name, int most) {
        if (!PLAIN.matcher(name).matches()) {
            append(text, "[\"", name, "\"]", most);
        } else {
            append(text, text.isEmpty() ? "" : ".", name, "", most);
        }
    }

    private static void append(
            StringBuilder text, String begin, String name, String end, int most) {
        text.append(begin).append(name, 0, Math.min(most, name.length())).append(end);
    }
}
