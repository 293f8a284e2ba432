package io.tidemark.query.encode;

import io.tidemark.json.JsonBuffer;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.TypeMeta;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Encodes a list of whole objects as compact JSON by copying stored bytes. The API server has Go
 * types of built-in resources: their lists begin with the kind, and items do not repeat it. It
 * treats custom resources as maps: members are sorted, {@code continue} is present even when empty,
 * and items have their kind.
 */
public final class JsonListEncoder implements ListEncoder {
    private final Resource resource;
    private String tail = "]}\n";
    private boolean any;

    public JsonListEncoder(Resource resource) {
        this.resource = resource;
    }

    @Override
    public void start(ListMeta meta, OutputStream out) throws IOException {
        StringBuilder start = new StringBuilder("{");
        if (resource.custom()) {
            apiVersion(start);
            start.append(",\"items\":[");
            StringBuilder end = new StringBuilder("],");
            kind(end);
            tail = sortedMetadata(end, meta).append("}\n").toString();
        } else {
            kind(start);
            apiVersion(start.append(','));
            metadata(start, meta);
        }
        out.write(start.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void item(StoredObject object, OutputStream out) throws IOException {
        ServedVersion version = ServedVersion.of(resource, object);
        switch (version) {
            case ServedVersion.AsStored _ -> {
                comma(out);
                write(object.stored(), object.valueOffset(), out);
            }
            case ServedVersion.Renamed renamed -> {
                comma(out);
                writeRenamed(object, renamed, out);
            }
            case ServedVersion.Converted converted -> {
                comma(out);
                write(converted.json(object.revision()), 0, out);
            }
            case ServedVersion.Unservable _ -> {
                // Left out: it cannot be converted to the requested version.
            }
        }
    }

    @Override
    public void end(OutputStream out) throws IOException {
        out.write(tail.getBytes(StandardCharsets.UTF_8));
    }

    private void write(byte[] json, int from, OutputStream out) throws IOException {
        if (resource.custom()) {
            out.write(json, from, json.length - from);
        } else {
            TypeMeta.writeWithout(json, from, out);
        }
    }

    private void writeRenamed(StoredObject object, ServedVersion.Renamed renamed, OutputStream out)
            throws IOException {
        byte[] stored = object.stored();
        int from = object.valueOffset();
        if (!resource.custom()) {
            TypeMeta.writeWithout(stored, from, out); // This drops the apiVersion, too.
            return;
        }
        out.write(stored, from, renamed.fromInclusive() - from);
        out.write(renamed.apiVersion());
        out.write(stored, renamed.toExclusive(), stored.length - renamed.toExclusive());
    }

    private void kind(StringBuilder out) {
        out.append("\"kind\":").append(JsonBuffer.quoted(resource.kind() + "List"));
    }

    private void apiVersion(StringBuilder out) {
        out.append("\"apiVersion\":").append(JsonBuffer.quoted(resource.apiVersion()));
    }

    /** Appends the list's metadata, through the bracket that opens its items. */
    static StringBuilder metadata(StringBuilder start, ListMeta meta) {
        start.append(",\"metadata\":{\"resourceVersion\":\"").append(meta.resourceVersion());
        start.append('"');
        if (!meta.continueToken().isEmpty()) {
            start.append(",\"continue\":\"").append(meta.continueToken()).append('"');
        }
        if (meta.remainingItemCount() > 0) {
            start.append(",\"remainingItemCount\":").append(meta.remainingItemCount());
        }
        if (!meta.shard().isEmpty()) {
            start.append(",\"shardInfo\":{\"selector\":");
            start.append(JsonBuffer.quoted(meta.shard())).append('}');
        }
        return start.append("},\"items\":[");
    }

    private static StringBuilder sortedMetadata(StringBuilder out, ListMeta meta) {
        out.append(",\"metadata\":{\"continue\":\"").append(meta.continueToken()).append('"');
        if (meta.remainingItemCount() > 0) {
            out.append(",\"remainingItemCount\":").append(meta.remainingItemCount());
        }
        return out.append(",\"resourceVersion\":\"").append(meta.resourceVersion()).append("\"}");
    }

    private void comma(OutputStream out) throws IOException {
        if (any) {
            out.write(',');
        }
        any = true;
    }
}
