package io.tidemark.query.wire;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.status.JsonText;
import io.tidemark.query.table.Renderer.ListMeta;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A list of whole objects as compact JSON: stored bytes pass unparsed. */
public final class JsonListForm implements ListForm {
    private final Resource resource;
    private boolean any;

    public JsonListForm(Resource resource) {
        this.resource = resource;
    }

    @Override
    public void start(ListMeta meta, OutputStream out) throws IOException {
        StringBuilder start = new StringBuilder("{\"kind\":");
        JsonText.quote(start, resource.kind() + "List");
        start.append(",\"apiVersion\":");
        JsonText.quote(start, resource.apiVersion());
        out.write(metadata(start, meta).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void item(StoredObject object, OutputStream out) throws IOException {
        byte[] stored = object.stored();
        int from = object.valueOffset();
        switch (ServedVersion.of(resource, object)) {
            case ServedVersion.AsStored _ -> {
                comma(out);
                out.write(stored, from, stored.length - from);
            }
            case ServedVersion.Renamed renamed -> {
                comma(out);
                out.write(stored, from, renamed.fromInclusive() - from);
                out.write(renamed.apiVersion());
                out.write(stored, renamed.toExclusive(), stored.length - renamed.toExclusive());
            }
            case ServedVersion.Converted converted -> {
                comma(out);
                out.write(converted.json(object.revision()));
            }
            case ServedVersion.Unservable _ -> {
                // Left out: there is no document of the version that was asked for.
            }
        }
    }

    @Override
    public void end(OutputStream out) throws IOException {
        out.write(']');
        out.write('}');
        out.write('\n');
    }

    /** Goes on with the list's metadata, through the bracket that opens its items. */
    static String metadata(StringBuilder start, ListMeta meta) {
        start.append(",\"metadata\":{\"resourceVersion\":\"").append(meta.resourceVersion());
        start.append('"');
        if (!meta.continueToken().isEmpty()) {
            start.append(",\"continue\":\"").append(meta.continueToken()).append('"');
        }
        if (meta.remainingItemCount() > 0) {
            start.append(",\"remainingItemCount\":").append(meta.remainingItemCount());
        }
        return start.append("},\"items\":[").toString();
    }

    private void comma(OutputStream out) throws IOException {
        if (any) {
            out.write(',');
        }
        any = true;
    }
}
