package io.tidemark.query.encode;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;

/** Encodes a list in any other form, such as a Table. */
public record RenderedListEncoder(Renderer renderer) implements ListEncoder {
    @Override
    public Projection projection() {
        return renderer.projection();
    }

    @Override
    public void start(ListMeta meta, PieceOutput out) throws IOException {
        out.write(renderer.listStart(meta));
    }

    @Override
    public void item(StoredObject object, PieceOutput out) throws IOException {
        renderer.listItem(object, out);
    }

    @Override
    public void end(PieceOutput out) throws IOException {
        out.write(renderer.listEnd());
    }
}
