package io.tidemark.query.representation;

import io.tidemark.json.JsonIndenter;
import io.tidemark.view.object.StoredObject;
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
    public byte[] listItem(StoredObject object) {
        return indenter.next(super.listItem(object));
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
