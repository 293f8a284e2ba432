package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.Change.TideMark;
import io.tidemark.record.Change.TideMark.Kind;
import io.tidemark.record.ContentType;
import java.util.Map;
import java.util.Set;

/** Builds changes for tests. */
public final class Changes {
    private static final Set<String> FIELDS = Set.of("uid", "node", "size");

    private Changes() {}

    public static TideMark mark(long epoch, long revision, Kind kind) {
        return new TideMark(epoch, revision, kind, 0xfeedL, "http://127.0.0.1:1");
    }

    public static TideMark begin(long revision) {
        return mark(1, revision, Kind.LIST_BEGIN);
    }

    public static TideMark end(long revision) {
        return mark(1, revision, Kind.LIST_END);
    }

    public static TideMark progress(long revision) {
        return mark(1, revision, Kind.PROGRESS);
    }

    public static TideMark gap(long revision) {
        return mark(1, revision, Kind.GAP);
    }

    public static TideMark bridge(long revision) {
        return mark(1, revision, Kind.BRIDGE);
    }

    /** A put written while a gap is reconciled, the n-th of the gap. */
    public static Change.Put inGap(String key, long revision, int n) {
        return pod(key, revision, Change.GAP_INDEX + n, true, Map.of());
    }

    public static Change.Delete goneInGap(String key, long listRevision, int n) {
        return delete(key, listRevision, Change.GAP_INDEX + n);
    }

    public static Change.Put pod(
            String key, long revision, int index, boolean listed, Map<String, String> labels) {
        return put(1, Bytes.utf8(key), revision, index, listed, podJson(key, revision, labels));
    }

    public static Change.Put put(String key, long revision, int index) {
        return pod(key, revision, index, false, Map.of());
    }

    public static Change.Put listed(String key, long revision) {
        return pod(key, revision, 0, true, Map.of());
    }

    static Change.Put put(
            long epoch, Bytes key, long revision, int index, boolean listed, String json) {
        return new Change.Put(
                epoch,
                revision,
                index,
                key,
                Bytes.utf8(json),
                ContentType.KUBERNETES_JSON,
                1,
                1,
                0,
                listed,
                "");
    }

    public static Change.Put unreadable(String key, long revision, boolean listed, String why) {
        return new Change.Put(
                1,
                revision,
                0,
                Bytes.utf8(key),
                Bytes.utf8("?"),
                ContentType.RAW,
                1,
                1,
                0,
                listed,
                why);
    }

    public static Change.Delete delete(String key, long revision, int index) {
        return new Change.Delete(1, revision, index, Bytes.utf8(key));
    }

    /** A pod; the labels {@code node} and {@code size} become fields of its spec instead. */
    /** Changes with the revision, and is sometimes not set, unless the labels say otherwise. */
    private static String uid(long revision, Map<String, String> labels) {
        String other = revision % 7 == 0 ? "null" : "\"uid-%d\"".formatted(revision % 7);
        return labels.containsKey("uid") ? "\"%s\"".formatted(labels.get("uid")) : other;
    }

    static String podJson(String key, long revision, Map<String, String> labels) {
        StringBuilder json = new StringBuilder("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"");
        json.append(",\"spec\":{\"nodeName\":\"")
                .append(labels.getOrDefault("node", ""))
                .append("\",\"size\":")
                .append(labels.getOrDefault("size", "null"))
                .append("},\"metadata\":{\"labels\":{");
        String separator = "";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            if (!FIELDS.contains(label.getKey())) {
                json.append(separator).append('"').append(label.getKey()).append("\":\"");
                json.append(label.getValue()).append('"');
                separator = ",";
            }
        }
        String name = key.substring(key.lastIndexOf('/') + 1).replace("\0", "\\u0000");
        return json.append(
                        "},\"resourceVersion\":\"%d\",\"name\":\"%s\",\"uid\":%s}}"
                                .formatted(revision, name, uid(revision, labels)))
                .toString();
    }
}
