package io.tidemark.query.group;

import io.tidemark.query.compress.GzipPiece;
import io.tidemark.query.compress.SharedPieces;
import io.tidemark.view.object.ChecksumForm;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Consecutive objects of a list, or of a watch that begins, that are compressed together. Lists of
 * the same form share the compressed group as long as none of its objects changes.
 *
 * <p>Where a group ends depends on its last object alone, as far as possible: so lists that begin
 * at different objects, and a list before and after a change, have the other groups in common.
 */
public final class ObjectGroup {
    /** A group of this many bytes ends. That is four times the mean, so it seldom happens. */
    public static final int MOST = SharedPieces.MOST;

    /** The mean length of a group is 2 to the power of this, in bytes. */
    private static final int MEAN_BITS = 16;

    /** 2<sup>32</sup> by the golden ratio: the product's upper bits depend on all of a hash. */
    private static final int SPREAD = 0x9e3779b9;

    private final List<StoredObject> objects = new ArrayList<>();
    private long bytes;
    private boolean shared = true;

    /**
     * Adds the next object of the list: whole, or in {@link ChecksumForm} to {@link #find} it.
     *
     * @param kept whether the object may be kept in memory
     * @return whether the group ends with it
     */
    public boolean add(StoredObject object, boolean kept) {
        objects.add(object);
        int length = ObjectVersion.lengthOf(object);
        bytes += length;
        shared &= kept;
        return bytes >= MOST || isLast(object, length);
    }

    /** Of n bytes each is the end of a group as likely, so a long object ends more of them. */
    private static boolean isLast(StoredObject object, int length) {
        return object.key().hashCode() * SPREAD >>> Integer.SIZE - MEAN_BITS < length;
    }

    public boolean isEmpty() {
        return objects.isEmpty();
    }

    /** The objects, in order. */
    public List<StoredObject> objects() {
        return Collections.unmodifiableList(objects);
    }

    /** The bytes of all objects as they are stored. */
    public long bytes() {
        return bytes;
    }

    /**
     * The objects, compressed, if that is known.
     *
     * @param form as in {@link #take}
     */
    public Optional<GzipPiece> find(SharedPieces pieces, Object form) {
        return shared ? pieces.find(Key.of(form, objects)) : Optional.empty();
    }

    /**
     * The objects, compressed; the group is empty afterwards.
     *
     * @param form all that the bytes depend on besides the objects, taken before they are made
     * @param encode writes the objects
     */
    public GzipPiece take(
            SharedPieces pieces, Object form, Function<List<StoredObject>, byte[]> encode) {
        GzipPiece piece =
                shared
                        ? pieces.get(Key.of(form, objects), () -> encode.apply(objects))
                        : pieces.compress(encode.apply(objects));
        objects.clear();
        bytes = 0;
        shared = true;
        return piece;
    }

    private record Key(Object form, List<ObjectVersion> versions) implements SharedPieces.Key {
        static Key of(Object form, List<StoredObject> objects) {
            return new Key(form, objects.stream().map(ObjectVersion::of).toList());
        }

        @Override
        public int memory() {
            return versions.stream()
                    .mapToInt(version -> version.key().length() + ObjectVersion.OVERHEAD)
                    .sum();
        }
    }
}
