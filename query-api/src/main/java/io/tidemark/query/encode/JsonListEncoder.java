package io.tidemark.query.encode;

import io.tidemark.json.JsonBuffer;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.TypeMeta;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes a list of whole objects as compact JSON by copying stored bytes. The API server has Go
 * types of built-in resources: their lists begin with the kind, and items do not repeat it. It
 * treats custom resources as maps: members are sorted, {@code continue} is present even when empty,
 * and items have their kind.
 */
final class JsonListEncoder implements ListEncoder, GroupedItems.Form {
    private final Resource resource;
    private String tail = "]}\n";
    private final GroupedItems items = new GroupedItems(this);

    /** Whether an object has been written. */
    private boolean any;

    JsonListEncoder(Resource resource) {
        this.resource = resource;
    }

    @Override
    public void start(ListMeta meta, PieceOutput out) throws IOException {
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
    public void item(StoredObject object, PieceOutput out) throws IOException {
        items.add(object, out.shared(), out);
    }

    @Override
    public boolean isKept(StoredObject object) {
        return EncodedObjects.isKept(resource, object);
    }

    @Override
    public void writeAlone(StoredObject object, PieceOutput out) throws IOException {
        any |= write(object, any, out);
    }

    @Override
    public void expect(long atLeast, PieceOutput out) {
        items.expect(atLeast, out);
    }

    @Override
    public boolean copiesGroups(PieceOutput out) {
        return out.shared().isPresent() && EncodedObjects.areKept(resource);
    }

    @Override
    public boolean copy(ObjectGroup group, PieceOutput out) throws IOException {
        return items.copy(group, out.shared(), out);
    }

    @Override
    public Object sharedForm() {
        return List.of(resource.servedForm(), any);
    }

    @Override
    public void write(GzipPiece piece, PieceOutput out) throws IOException {
        if (piece.length() > 0) {
            any = true;
            out.write(piece);
        }
    }

    @Override
    public byte[] encode(List<StoredObject> objects) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(ObjectGroup.MOST);
        boolean after = any;
        try {
            for (StoredObject object : objects) {
                after |= write(object, after, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    @Override
    public void end(PieceOutput out) throws IOException {
        items.end(out.shared(), out);
        out.write(tail.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes one object.
     *
     * @param after whether another one precedes it
     * @return false, and nothing is written, if it cannot be converted to the requested version
     */
    private boolean write(StoredObject object, boolean after, OutputStream out) throws IOException {
        ServedVersion version = ServedVersion.of(resource, object);
        boolean served = !(version instanceof ServedVersion.Unservable);
        if (after && served) {
            out.write(',');
        }
        switch (version) {
            case ServedVersion.AsStored _ -> write(object.stored(), object.valueOffset(), out);
            case ServedVersion.Renamed renamed -> writeRenamed(object, renamed, out);
            case ServedVersion.Converted converted ->
                    write(converted.json(object.revision()), 0, out);
            case ServedVersion.Unservable _ -> {
                // Left out.
            }
        }
        return served;
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
        out.append("\"kind\":").append(JsonBuffer.quoted(resource.listKind()));
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
}
