package io.tidemark.kubernetes.json;

import io.tidemark.json.GoNumbers;
import io.tidemark.json.JsonBuffer;
import io.tidemark.kubernetes.json.JsonTree.JsonArray;
import io.tidemark.kubernetes.json.JsonTree.JsonNumber;
import io.tidemark.kubernetes.json.JsonTree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints JSON like Go after it was parsed into untyped maps: members sorted by the bytes of their
 * names, numbers reformatted.
 */
public final class GoMaps {
    private GoMaps() {}

    /**
     * Appends the sorted form of a tree, which stays as it is.
     *
     * @throws io.tidemark.json.MalformedJsonException for a number beyond the range of doubles
     */
    public static void append(JsonTree tree, JsonBuffer out) {
        JsonTrees.append(normal(tree), out);
    }

    private static JsonTree normal(JsonTree tree) {
        return switch (tree) {
            case JsonObject(Map<String, JsonTree> members) -> {
                Map<String, JsonTree> sorted = new LinkedHashMap<>();
                members.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey(GoMaps::compareBytes))
                        .forEach(member -> sorted.put(member.getKey(), normal(member.getValue())));
                yield new JsonObject(sorted);
            }
            case JsonArray(List<JsonTree> elements) ->
                    new JsonArray(elements.stream().map(GoMaps::normal).toList());
            case JsonNumber(String literal) -> new JsonNumber(GoNumbers.reprint(literal));
            default -> tree;
        };
    }

    /** Order by UTF-8 bytes, which differs from Java's for characters beyond U+FFFF. */
    static int compareBytes(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                boolean beyondA = Character.isSurrogate(a);
                boolean beyondB = Character.isSurrogate(b);
                return beyondA == beyondB ? a - b : beyondA ? 1 : -1;
            }
        }
        return one.length() - other.length();
    }
}
