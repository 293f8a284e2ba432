package io.tidemark.query.encode;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.query.representation.Renderer.ListMeta;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.Optional;

/** Encodes one list, piece by piece: start, items in order, end; for some forms in two passes. */
public interface ListEncoder {
    /** The part of each object that it needs. */
    default Projection projection() {
        return Projection.WHOLE;
    }

    void start(ListMeta meta, PieceOutput out) throws IOException;

    /** Whether this pass needs no more objects. */
    default boolean isFull() {
        return false;
    }

    /** Writes the next object with its separator. */
    void item(StoredObject object, PieceOutput out) throws IOException;

    /**
     * Before the first object: how many bytes of objects follow, as they are stored, or that they
     * are many.
     */
    default void expect(long atLeast, PieceOutput out) {}

    /** Whether {@link #copy} may write objects of this pass, so that they need not be read. */
    default boolean copiesGroups(PieceOutput out) {
        return false;
    }

    /**
     * Writes the next objects if they were compressed for another list.
     *
     * @param group all that are compressed together, in {@link ChecksumForm}
     * @return false, and nothing is written, if {@link #item} has to write them
     */
    default boolean copy(ObjectGroup group, PieceOutput out) throws IOException {
        return false;
    }

    void end(PieceOutput out) throws IOException;

    /** Whether {@link #nextPass} may follow, so that the objects may be needed again. */
    default boolean measures() {
        return false;
    }

    /**
     * After the end: the encoder of another pass over the same objects, for a form that announces
     * the length of all objects before the first one. Empty when the list is written.
     */
    default Optional<ListEncoder> nextPass() {
        return Optional.empty();
    }
}
