package io.tidemark.query.encode;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A list of keys and values: {@code {"kind":"KeyValueList","metadata":{…},"items":[…]}}. */
public final class KeyValueListEncoder implements ListEncoder {
    private final boolean values;
    private boolean any;

    /**
     * @param values whether items have their values
     */
    public KeyValueListEncoder(boolean values) {
        this.values = values;
    }

    @Override
    public Projection projection() {
        return values ? Projection.WHOLE : Projection.METADATA;
    }

    @Override
    public void start(ListMeta meta, PieceOutput out) throws IOException {
        StringBuilder start = new StringBuilder("{\"kind\":\"KeyValueList\"");
        out.write(
                JsonListEncoder.metadata(start, meta).toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void item(StoredObject object, PieceOutput out) throws IOException {
        if (any) {
            out.write(',');
        }
        any = true;
        out.write(
                values
                        ? KeyValueJson.of(object, object.revision())
                        : KeyValueJson.withoutValue(object));
    }

    @Override
    public void end(PieceOutput out) throws IOException {
        out.write(']');
        out.write('}');
        out.write('\n');
    }
}
