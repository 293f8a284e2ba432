package io.tidemark.query.encode;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.query.representation.Representation;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.Optional;

/** Encodes what a form shows of each object, where that is less than the object. */
record ShownListEncoder(Representation form, ListEncoder encoder) implements ListEncoder {
    @Override
    public Projection projection() {
        return form.projection();
    }

    @Override
    public void start(ListMeta meta, PieceOutput out) throws IOException {
        encoder.start(meta, out);
    }

    @Override
    public void item(StoredObject object, PieceOutput out) throws IOException {
        encoder.item(form.shown(object), out);
    }

    @Override
    public void end(PieceOutput out) throws IOException {
        encoder.end(out);
    }

    @Override
    public boolean isFull() {
        return encoder.isFull();
    }

    @Override
    public boolean measures() {
        return encoder.measures();
    }

    @Override
    public Optional<ListEncoder> nextPass() {
        return encoder.nextPass().map(next -> new ShownListEncoder(form, next));
    }
}
