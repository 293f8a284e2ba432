package io.tidemark.golden.comparison;

import io.tidemark.golden.recording.RawRequest;
import java.util.Map;
import java.util.TreeMap;

/**
 * The properties by which a deviation selects recorded rows, each as a text. Requests and watches
 * have {@code file}, {@code category}, {@code method}, {@code path}, {@code query}, {@code accept},
 * {@code acceptEncoding}, {@code status} and {@code body}, as recorded; watches a {@code round}
 * besides. A command has {@code file}, {@code arguments}, {@code exit}, {@code stdout}, {@code
 * stderr}, and {@code methods}, those of the requests that it made; one that only shows a path's
 * answer counts as that request.
 */
public record RowProperties(Map<String, String> values) {
    public static RowProperties of(
            String file, String category, RawRequest asked, int status, String body) {
        Map<String, String> values = new TreeMap<>();
        values.put("file", file);
        values.put("category", category);
        values.put("method", asked.method());
        values.put("path", asked.path());
        values.put("query", asked.query());
        values.put("accept", asked.headers().getOrDefault("Accept", ""));
        values.put("acceptEncoding", asked.headers().getOrDefault("Accept-Encoding", ""));
        values.put("status", String.valueOf(status));
        values.put("body", body);
        return new RowProperties(values);
    }

    public RowProperties with(String name, String value) {
        Map<String, String> more = new TreeMap<>(values);
        more.put(name, value);
        return new RowProperties(more);
    }

    /** Empty for a property that such a row does not have. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }
}
