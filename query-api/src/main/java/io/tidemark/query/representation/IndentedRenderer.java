package io.tidemark.query.representation;

import io.tidemark.json.JsonIndenter;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Optional;

/** JSON on many lines, without a line feed at the end. Streams stay compact. */
final class IndentedRenderer extends CompactRenderer {
    private JsonIndenter indenter = new JsonIndenter();

    IndentedRenderer(Content content) {
        super(content);
    }

    @Override
    public byte[] listStart(ListMeta meta) {
        indenter = new JsonIndenter();
        return indenter.next(super.listStart(meta));
    }

    @Override
    public void listItem(StoredObject object, OutputStream out) throws IOException {
        ByteArrayOutputStream compact = new ByteArrayOutputStream();
        super.listItem(object, compact);
        out.write(indenter.next(compact.toByteArray()));
    }

    @Override
    public byte[] listEnd() {
        return indenter.next(withoutLineFeed(super.listEnd()));
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return super.single(object).map(json -> JsonIndenter.indented(withoutLineFeed(json)));
    }

    private static byte[] withoutLineFeed(byte[] json) {
        return Arrays.copyOf(json, json.length - 1);
    }
}
