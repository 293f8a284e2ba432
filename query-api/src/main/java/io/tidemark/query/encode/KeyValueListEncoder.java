package io.tidemark.query.encode;

import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.wire.KeyValueJson;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A list of keys and values: {@code {"kind":"KeyValueList","metadata":{…},"items":[…]}}. */
public final class KeyValueListEncoder implements ListEncoder {
    private boolean any;

    @Override
    public void start(ListMeta meta, OutputStream out) throws IOException {
        StringBuilder start = new StringBuilder("{\"kind\":\"KeyValueList\"");
        out.write(
                JsonListEncoder.metadata(start, meta).toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void item(StoredObject object, OutputStream out) throws IOException {
        if (any) {
            out.write(',');
        }
        any = true;
        out.write(KeyValueJson.of(object, object.revision()));
    }

    @Override
    public void end(OutputStream out) throws IOException {
        out.write(']');
        out.write('}');
        out.write('\n');
    }
}
