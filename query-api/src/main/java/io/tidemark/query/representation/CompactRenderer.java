package io.tidemark.query.representation;

import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
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
    public byte[] listItem(StoredObject object) {
        return content.item(object).map(this::parted).orElseGet(() -> new byte[0]);
    }

    @Override
    public byte[] listEnd() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] item : content.deferredItems()) {
            out.writeBytes(parted(item));
        }
        out.writeBytes(any ? new byte[] {']'} : content.emptyItems());
        out.writeBytes(content.listTail());
        out.writeBytes(GoJson.LINE_FEED);
        return out.toByteArray();
    }

    private byte[] parted(byte[] item) {
        byte[] before = {(byte) (any ? ',' : '[')};
        any = true;
        return GoJson.joined(before, item);
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return content.single(object).map(json -> GoJson.joined(json, GoJson.LINE_FEED));
    }
}
