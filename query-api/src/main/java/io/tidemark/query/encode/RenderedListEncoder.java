package io.tidemark.query.encode;

import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;

/** Encodes a list in any other form, such as a Table. */
public record RenderedListEncoder(Renderer renderer) implements ListEncoder {
    @Override
    public Projection projection() {
        return renderer.projection();
    }

    @Override
    public void start(ListMeta meta, OutputStream out) throws IOException {
        out.write(renderer.listStart(meta));
    }

    @Override
    public void item(StoredObject object, OutputStream out) throws IOException {
        out.write(renderer.listItem(object));
    }

    @Override
    public void end(OutputStream out) throws IOException {
        out.write(renderer.listEnd());
    }
}
