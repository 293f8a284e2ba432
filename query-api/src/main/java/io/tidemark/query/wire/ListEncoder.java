package io.tidemark.query.wire;

import io.tidemark.query.table.Renderer.ListMeta;
import io.tidemark.view.Projection;
import io.tidemark.view.StoredObject;
import java.io.IOException;
import java.io.OutputStream;

/** How one list is written, piece by piece: start, items in order, end. For one list. */
public interface ListEncoder {
    /** How much of the objects it looks at: less need not be read. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    void start(ListMeta meta, OutputStream out) throws IOException;

    /** Writes the next object, with what parts it from the one before. */
    void item(StoredObject object, OutputStream out) throws IOException;

    void end(OutputStream out) throws IOException;
}
