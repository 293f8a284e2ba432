package io.tidemark.query.wire;

import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;

/** Encodes one list, piece by piece: start, items in order, end. */
public interface ListEncoder {
    /** The part of each object that it needs. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    void start(ListMeta meta, OutputStream out) throws IOException;

    /** Writes the next object with its separator. */
    void item(StoredObject object, OutputStream out) throws IOException;

    void end(OutputStream out) throws IOException;
}
