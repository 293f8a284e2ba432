package io.tidemark.query.representation;

import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** JSON on one line. */
class CompactRenderer extends Renderer {
    private boolean any;

    CompactRenderer(Content content) {
        super(content);
    }

    @Override
    public byte[] listStart(ListMeta meta) {
        any = false;
        return content.listHead(meta);
    }

    @Override
    public void listItem(StoredObject object, OutputStream out) throws IOException {
        any |= content.writeItem(separator(), object, out);
    }

    @Override
    public byte[] listEnd() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] item : content.deferredItems()) {
            out.write(separator());
            out.writeBytes(item);
            any = true;
        }
        out.writeBytes(any ? new byte[] {']'} : content.emptyItems());
        out.writeBytes(content.listTail());
        out.writeBytes(GoJson.LINE_FEED);
        return out.toByteArray();
    }

    private char separator() {
        return any ? ',' : '[';
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return content.single(object).map(json -> GoJson.joined(json, GoJson.LINE_FEED));
    }
}
