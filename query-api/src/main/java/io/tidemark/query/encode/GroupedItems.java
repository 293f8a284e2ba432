package io.tidemark.query.encode;

import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.PieceOutput;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.query.group.ObjectGroup;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Divides the objects of a list in groups that lists share. The first objects wait as long as the
 * list may be too short to be compressed.
 */
final class GroupedItems {
    private final Form form;
    private final List<StoredObject> waiting = new ArrayList<>();
    private final ObjectGroup group = new ObjectGroup();
    private long waitingBytes;
    private boolean grouped;

    /** Writes the objects in the form of the list. */
    interface Form {
        /** Whether an object may be kept in memory. */
        boolean isKept(StoredObject object);

        /** Writes an object that no other list shares. */
        void writeAlone(StoredObject object, PieceOutput out) throws IOException;

        /** What the bytes of a group depend on, besides its objects. */
        Object sharedForm();

        /** Encodes the objects of a group. */
        byte[] encode(List<StoredObject> objects);

        /** Writes an encoded group. */
        void write(GzipPiece piece, PieceOutput out) throws IOException;
    }

    GroupedItems(Form form) {
        this.form = form;
    }

    /**
     * Writes the next object, or keeps it until more have come.
     *
     * @param shared the same for all objects; empty when nothing is shared
     */
    void add(StoredObject object, Optional<SharedPieces> shared, PieceOutput out)
            throws IOException {
        if (shared.isEmpty()) {
            form.writeAlone(object, out);
        } else if (grouped) {
            addToGroup(object, shared.get(), out);
        } else {
            waiting.add(object);
            waitingBytes += object.stored().length;
            if (!out.isHeldBack(waitingBytes)) {
                grouped = true;
                for (StoredObject next : waiting) {
                    addToGroup(next, shared.get(), out);
                }
                waiting.clear();
            }
        }
    }

    private void addToGroup(StoredObject object, SharedPieces shared, PieceOutput out)
            throws IOException {
        if (group.add(object, form.isKept(object))) {
            writeGroup(shared, out);
        }
    }

    private void writeGroup(SharedPieces shared, PieceOutput out) throws IOException {
        form.write(group.take(shared, form.sharedForm(), form::encode), out);
    }

    /** So many bytes of objects follow at least: if the list is long, none of them has to wait. */
    void expect(long bytes, PieceOutput out) {
        grouped |= !out.isHeldBack(bytes);
    }

    /**
     * Writes a group of objects in {@link ChecksumForm}, if it is known compressed and nothing that
     * was added has to be written before it.
     *
     * @return whether it was written
     */
    boolean copy(ObjectGroup next, Optional<SharedPieces> shared, PieceOutput out)
            throws IOException {
        if (!grouped
                || !group.isEmpty()
                || shared.isEmpty()
                || !next.objects().stream().allMatch(form::isKept)) {
            return false;
        }
        Optional<GzipPiece> piece = next.find(shared.get(), form.sharedForm());
        if (piece.isPresent()) {
            form.write(piece.get(), out);
        }
        return piece.isPresent();
    }

    /** Writes what is left. */
    void end(Optional<SharedPieces> shared, PieceOutput out) throws IOException {
        for (StoredObject object : waiting) {
            form.writeAlone(object, out);
        }
        if (!group.isEmpty()) {
            writeGroup(shared.orElseThrow(), out);
        }
    }
}
