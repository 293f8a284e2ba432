package io.tidemark.view.object;

import io.tidemark.json.JsonMembers;
import java.util.Optional;

/**
 * The bytes to leave out of a value so that it lacks {@code metadata.managedFields}: the member
 * with the comma that separates it from another.
 *
 * @param from and {@code to}: offsets, the second exclusive; equal when there is nothing to cut
 */
record ManagedFieldsCut(int from, int to) {
    static final ManagedFieldsCut NONE = new ManagedFieldsCut(0, 0);

    /**
     * Finds the cut of a metadata object.
     *
     * @param metadataFrom and {@code metadataTo}: where the object is in {@code json}
     */
    static ManagedFieldsCut find(byte[] json, int metadataFrom, int metadataTo) {
        Optional<JsonMembers.Member> found =
                JsonMembers.find(json, metadataFrom, metadataTo, "managedFields");
        if (found.isEmpty()) {
            return NONE;
        }
        int from = found.get().from();
        int to = found.get().valueTo();
        if (json[from - 1] == ',') {
            return new ManagedFieldsCut(from - 1, to);
        }
        return new ManagedFieldsCut(from, json[to] == ',' ? to + 1 : to);
    }

    int length() {
        return to - from;
    }

    /** The same bytes where the value begins at another offset. */
    ManagedFieldsCut moved(int by) {
        return length() == 0 ? NONE : new ManagedFieldsCut(from + by, to + by);
    }
}
