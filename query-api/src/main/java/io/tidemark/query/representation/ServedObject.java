package io.tidemark.query.representation;

import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A stored object's JSON in the requested version, mostly by copying bytes. */
final class ServedObject {
    private ServedObject() {}

    /**
     * Empty when the object cannot be served in this version.
     *
     * @param resourceVersion to show in place of the object's own
     */
    static Optional<byte[]> json(Resource resource, StoredObject object, long resourceVersion) {
        List<Edit> edits = new ArrayList<>(revisionEdit(object, resourceVersion));
        return switch (ServedVersion.of(resource, object)) {
            case ServedVersion.AsStored _ ->
                    Optional.of(edited(object.stored(), object.valueOffset(), edits));
            case ServedVersion.Renamed(int from, int to, byte[] apiVersion) -> {
                edits.add(new Edit(from, to, apiVersion));
                yield Optional.of(edited(object.stored(), object.valueOffset(), edits));
            }
            case ServedVersion.Converted converted -> Optional.of(converted.json(resourceVersion));
            case ServedVersion.Unservable _ -> Optional.empty();
        };
    }

    /** Replaces a range of bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Edit(int from, int to, byte[] text) {}

    /** The value from {@code start} to the end with non-overlapping edits applied. */
    private static byte[] edited(byte[] source, int start, List<Edit> edits) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(source.length - start + 64);
        int at = start;
        for (Edit edit : edits.stream().sorted(Comparator.comparingInt(Edit::from)).toList()) {
            out.write(source, at, edit.from() - at);
            out.writeBytes(edit.text());
            at = edit.to();
        }
        out.write(source, at, source.length - at);
        return out.toByteArray();
    }

    /** Replaces the resourceVersion if it differs. */
    private static List<Edit> revisionEdit(StoredObject object, long resourceVersion) {
        int from = object.resourceVersionOffset();
        if (object.revision() == resourceVersion || from == 0) {
            return List.of();
        }
        byte[] stored = object.stored();
        int to = from;
        while (to < stored.length && stored[to] >= '0' && stored[to] <= '9') {
            to++;
        }
        return List.of(
                new Edit(
                        from,
                        to,
                        Long.toString(resourceVersion).getBytes(StandardCharsets.US_ASCII)));
    }
}
