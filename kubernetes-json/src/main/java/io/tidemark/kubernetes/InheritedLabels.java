package io.tidemark.kubernetes;

import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.FieldCursor;
import java.util.List;

/**
 * The labels of an object's pod template, which the API server prints for an object without labels:
 * position of the first entry's tag, and number of entries.
 */
record InheritedLabels(int firstTag, int count) {
    static final InheritedLabels NONE = new InheritedLabels(0, 0);

    /** Follows the field numbers of {@code path} from the object; the last one is the map. */
    static InheritedLabels find(Envelope envelope, List<Integer> path) {
        return path.isEmpty()
                ? NONE
                : find(envelope.source(), path, envelope.from(), envelope.to());
    }

    private static InheritedLabels find(byte[] source, List<Integer> path, int from, int to) {
        FieldCursor fields = new FieldCursor(source, from, to);
        int firstTag = 0;
        int count = 0;
        while (fields.next()) {
            if (fields.number() != path.getFirst() || !fields.isBytes()) {
                continue;
            }
            if (path.size() > 1) {
                return find(source, path.subList(1, path.size()), fields.from(), fields.to());
            }
            firstTag = count == 0 ? fields.tagAt() : firstTag;
            count++;
        }
        return new InheritedLabels(firstTag, count);
    }
}
