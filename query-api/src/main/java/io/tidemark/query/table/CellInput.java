package io.tidemark.query.table;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The input of the cells of a row: an object of unknown shape and the time. Missing members read as
 * empty. For one thread.
 */
public final class CellInput {
    private final JsonNode object;
    private final Instant now;
    private @Nullable PodSummary pod;

    /** For one row. */
    CellInput(JsonNode object, Instant now) {
        this.object = object;
        this.now = now;
    }

    JsonNode object() {
        return object;
    }

    Instant now() {
        return now;
    }

    /** The object's summary as a pod, which several cells show. */
    PodSummary pod() {
        PodSummary summary = pod == null ? PodSummary.of(object) : pod;
        pod = summary;
        return summary;
    }

    /** A member by its dotted path; a missing node when there is none. */
    public JsonNode at(String path) {
        return at(object, path);
    }

    /** Empty when it is missing or not a scalar. */
    String text(String path) {
        return at(path).asText("");
    }

    String text(String path, String fallback) {
        return orElse(text(path), fallback);
    }

    long number(String path) {
        return at(path).asLong();
    }

    boolean isSet(String path) {
        JsonNode value = at(path);
        return !value.isMissingNode() && !value.isNull();
    }

    /** The age of the timestamp at {@code path}. */
    String age(String path) {
        return HumanDuration.since(text(path), now);
    }

    boolean isDeleting() {
        return !text("metadata.deletionTimestamp").isEmpty();
    }

    /**
     * @param path names separated by dots; a missing node when there is no such member
     */
    public static JsonNode at(JsonNode from, String path) {
        JsonNode node = from;
        int begin = 0;
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', begin)) {
            node = node.path(path.substring(begin, dot));
            begin = dot + 1;
        }
        return node.path(path.substring(begin));
    }

    static String orElse(String text, String fallback) {
        return text.isEmpty() ? fallback : text;
    }

    static List<String> texts(JsonNode elements, String path) {
        List<String> texts = new ArrayList<>();
        elements.forEach(element -> texts.add(at(element, path).asText("")));
        return texts;
    }

    /** The first {@code max} texts and the number of further ones. */
    static String shortened(List<String> texts, int max, String separator) {
        return texts.size() > max
                ? String.join(separator, texts.subList(0, max))
                        + " + "
                        + (texts.size() - max)
                        + " more..."
                : String.join(separator, texts);
    }

    /** {@code a/b=c,a=d}: the pairs are sorted, not the names. */
    static String labels(JsonNode map) {
        TreeSet<String> pairs = new TreeSet<>();
        map.properties().forEach(entry -> pairs.add(pair(entry)));
        return orElse(String.join(",", pairs), "<none>");
    }

    private static String pair(Map.Entry<String, JsonNode> entry) {
        return entry.getKey() + "=" + entry.getValue().asText("");
    }

    /** A LabelSelector as a selector's text, sorted by name; empty when it selects everything. */
    public static String selector(JsonNode selector) {
        List<Map.Entry<String, String>> terms = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(entry -> terms.add(Map.entry(entry.getKey(), pair(entry))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText("");
            TreeSet<String> values = new TreeSet<>();
            expression.path("values").forEach(value -> values.add(value.asText("")));
            String list = "(" + String.join(",", values) + ")";
            terms.add(
                    Map.entry(
                            key,
                            switch (expression.path("operator").asText("")) {
                                case "In" -> key + " in " + list;
                                case "NotIn" -> key + " notin " + list;
                                case "DoesNotExist" -> "!" + key;
                                default -> key;
                            }));
        }
        return terms.stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .reduce((a, b) -> a + "," + b)
                .orElse("");
    }
}
