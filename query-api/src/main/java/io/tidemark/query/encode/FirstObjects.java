package io.tidemark.query.encode;

import io.tidemark.query.compress.PieceOutput;
import io.tidemark.view.object.StoredObject;
import java.util.ArrayList;
import java.util.List;

/** The first objects of a list, which wait as long as it may be too short to be compressed. */
final class FirstObjects {
    private final List<StoredObject> waiting = new ArrayList<>();
    private long bytes;
    private boolean ended;

    /**
     * Adds the next object.
     *
     * @return the objects that need not wait, in the order of the list
     */
    List<StoredObject> add(StoredObject object, PieceOutput out) {
        if (ended) {
            return List.of(object);
        }
        waiting.add(object);
        bytes += object.stored().length;
        if (out.isHeldBack(bytes)) {
            return List.of();
        }
        ended = true;
        return rest();
    }

    /** The objects that still wait; none waits afterwards. */
    List<StoredObject> rest() {
        List<StoredObject> rest = List.copyOf(waiting);
        waiting.clear();
        return rest;
    }
}
