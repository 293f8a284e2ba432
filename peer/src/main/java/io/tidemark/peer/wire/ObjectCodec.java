package io.tidemark.peer.wire;

import io.tidemark.record.Bytes;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.UnreadablePage;
import io.tidemark.view.request.UnreadablePage.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes objects and pages; a stored object has the same bytes as in the store. */
final class ObjectCodec {
    private static final int LEAST_OBJECT = 2 * Integer.BYTES;
    private static final int LEAST_CHANGE = Long.BYTES + 2 * Integer.BYTES + 2;

    private ObjectCodec() {}

    static void writeOptional(Optional<StoredObject> object, WireOutput out) {
        out.flag(object.isPresent());
        object.ifPresent(present -> write(present, out));
    }

    static Optional<StoredObject> readOptional(WireInput in) throws WireException {
        return in.flag() ? Optional.of(read(in)) : Optional.empty();
    }

    static void writePage(ScanPage page, WireOutput out) {
        out.int32(page.objects().size());
        page.objects().forEach(object -> write(object, out));
        out.flag(page.nextKey().isPresent());
        page.nextKey().ifPresent(out::bytes);
    }

    static ScanPage readPage(WireInput in) throws WireException {
        int count = in.count(LEAST_OBJECT);
        List<StoredObject> objects = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            objects.add(read(in));
        }
        return new ScanPage(objects, in.flag() ? Optional.of(in.wrapped()) : Optional.empty());
    }

    static void writeChanges(ChangePage page, WireOutput out) {
        write(page.through(), out);
        out.int32(page.changes().size());
        for (ObjectChange change : page.changes()) {
            out.int64(change.revision());
            out.int32(change.index());
            out.bytes(change.key());
            writeSide(change.current(), out);
            writeSide(change.previous(), out);
        }
    }

    static ChangePage readChanges(WireInput in) throws WireException {
        ChangePosition through = readPosition(in);
        int count = in.count(LEAST_CHANGE);
        List<ObjectChange> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long revision = in.int64();
            int index = in.int32();
            Bytes key = in.wrapped();
            changes.add(
                    new ObjectChange(revision, index, key, readSide(key, in), readSide(key, in)));
        }
        return new ChangePage(changes, through);
    }

    static void write(ChangePosition position, WireOutput out) {
        out.int64(position.revision());
        out.int32(position.index());
    }

    static ChangePosition readPosition(WireInput in) throws WireException {
        long revision = in.int64();
        int index = in.int32();
        if (index < 0) {
            throw new WireException("negative position inside a revision: " + index);
        }
        return new ChangePosition(revision, index);
    }

    static void writeUnreadable(UnreadablePage page, WireOutput out) {
        out.int32(page.keys().size());
        for (Unreadable each : page.keys()) {
            out.bytes(each.key());
            out.text(each.reason());
        }
        out.flag(page.more());
    }

    static UnreadablePage readUnreadable(WireInput in) throws WireException {
        int count = in.count(LEAST_OBJECT);
        List<Unreadable> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(new Unreadable(in.wrapped(), in.text()));
        }
        return new UnreadablePage(keys, in.flag());
    }

    static void write(StoredObject object, WireOutput out) {
        out.bytes(object.key());
        out.bytes(object.stored());
    }

    static StoredObject read(WireInput in) throws WireException {
        return stored(in.wrapped(), in.bytes());
    }

    /** Without the key: both sides of a change have the same one. */
    private static void writeSide(@Nullable StoredObject side, WireOutput out) {
        out.flag(side != null);
        if (side != null) {
            out.bytes(side.stored());
        }
    }

    private static @Nullable StoredObject readSide(Bytes key, WireInput in) throws WireException {
        return in.flag() ? stored(key, in.bytes()) : null;
    }

    static StoredObject stored(Bytes key, byte[] stored) throws WireException {
        try {
            return new StoredObject(key, stored);
        } catch (IllegalArgumentException e) {
            throw new WireException(key + ": " + e.getMessage());
        }
    }
}
