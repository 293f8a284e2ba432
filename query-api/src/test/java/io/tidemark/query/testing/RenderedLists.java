package io.tidemark.query.testing;

import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Whole lists as a renderer writes them. */
public final class RenderedLists {
    private RenderedLists() {}

    public static String of(Renderer renderer, ListMeta meta, List<StoredObject> objects) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(renderer.listStart(meta));
        try {
            for (StoredObject object : objects) {
                renderer.listItem(object, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.writeBytes(renderer.listEnd());
        return out.toString(StandardCharsets.UTF_8);
    }
}
