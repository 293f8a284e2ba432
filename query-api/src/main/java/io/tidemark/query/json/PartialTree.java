package io.tidemark.query.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.json.ValidJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the tree of a stored document without some members, which it passes over unparsed: most of
 * an object is of no interest to the reader of a few members. A member that is left out stays, as
 * null. Expects valid JSON, as stored objects are; for anything else the tree is arbitrary.
 */
public final class PartialTree {
    /** Deeper values are parsed without recursion. */
    private static final int MAX_DEPTH = 64;

    private final LeftOut leftOut;

    /** What to leave out, by the names on the way; null for a member that is left out itself. */
    private record LeftOut(Map<String, @Nullable LeftOut> below) {
        static final LeftOut NOTHING = new LeftOut(Map.of());

        void add(List<String> path) {
            String name = path.getFirst();
            if (path.size() == 1) {
                below.put(name, null);
                return;
            }
            LeftOut next = below.computeIfAbsent(name, _ -> new LeftOut(new HashMap<>()));
            if (next != null) {
                next.add(path.subList(1, path.size()));
            }
        }
    }

    /**
     * @param paths of the members to leave out, such as {@code metadata.managedFields}; through a
     *     list they apply to each of its elements
     */
    public PartialTree(List<String> paths) {
        leftOut = new LeftOut(new HashMap<>());
        paths.forEach(path -> leftOut.add(List.of(path.split("\\."))));
    }

    /**
     * The tree of the document between two offsets.
     *
     * @throws java.io.UncheckedIOException when a part of it is invalid
     */
    public JsonNode read(byte[] json, int from, int to) {
        return new Reader(json, from, to).value(leftOut, 0);
    }

    private static final class Reader {
        private final byte[] json;
        private final int end;
        private int at;

        Reader(byte[] json, int from, int to) {
            this.json = json;
            this.at = from;
            this.end = to;
        }

        private JsonNode value(LeftOut without, int depth) {
            int first = peek();
            if (depth == MAX_DEPTH && (first == '{' || first == '[')) {
                return GoJson.read(skipped());
            }
            return switch (first) {
                case '{' -> object(without, depth);
                case '[' -> array(without, depth);
                case '"' -> GoJson.NODES.textNode(text());
                default -> scalar();
            };
        }

        private ObjectNode object(LeftOut without, int depth) {
            ObjectNode object = GoJson.NODES.objectNode();
            at++;
            while (peek() == '"') {
                String name = text();
                boolean _ = take(':');
                if (without.below().containsKey(name)) {
                    LeftOut below = without.below().get(name);
                    object.set(name, below == null ? nothing() : value(below, depth + 1));
                } else {
                    object.set(name, value(LeftOut.NOTHING, depth + 1));
                }
                if (!take(',')) {
                    break;
                }
            }
            boolean _ = take('}');
            return object;
        }

        private JsonNode nothing() {
            peek();
            at = ValidJson.afterValue(json, at, end);
            return GoJson.NODES.nullNode();
        }

        private ArrayNode array(LeftOut without, int depth) {
            ArrayNode array = GoJson.NODES.arrayNode();
            at++;
            while (peek() != ']' && at < end) {
                array.add(value(without, depth + 1));
                if (!take(',')) {
                    break;
                }
            }
            boolean _ = take(']');
            return array;
        }

        private JsonNode scalar() {
            byte[] text = skipped();
            if (isSmall(text)) {
                return GoJson.NODES.numberNode(
                        Integer.parseInt(new String(text, StandardCharsets.ISO_8859_1)));
            }
            return switch (new String(text, StandardCharsets.ISO_8859_1)) {
                case "true" -> GoJson.NODES.booleanNode(true);
                case "false" -> GoJson.NODES.booleanNode(false);
                case "null" -> GoJson.NODES.nullNode();
                default -> GoJson.read(text);
            };
        }

        /** Whether it is a whole number that fits an int; most are. */
        private static boolean isSmall(byte[] text) {
            for (byte b : text) {
                if (b < '0' || b > '9') {
                    return false;
                }
            }
            return text.length > 0 && text.length < 10;
        }

        private byte[] skipped() {
            int from = at;
            at = ValidJson.afterValue(json, from, end);
            return Arrays.copyOfRange(json, from, at);
        }

        private String text() {
            int from = at + 1;
            at = ValidJson.afterString(json, at, end);
            int to = Math.max(from, at - 1);
            for (int i = from; i < to; i++) {
                if (json[i] == '\\') {
                    return ValidJson.unescaped(json, from, to);
                }
            }
            return new String(json, from, to - from, StandardCharsets.UTF_8);
        }

        private boolean take(char expected) {
            boolean found = peek() == expected;
            if (found) {
                at++;
            }
            return found;
        }

        /** The next byte that is not blank, without taking it; -1 at the end. */
        private int peek() {
            while (at < end && ValidJson.isBlank(json[at])) {
                at++;
            }
            return at < end ? json[at] : -1;
        }
    }
}
