package io.tidemark.view.object;

import io.tidemark.json.JsonMembers;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds the metadata in an object's JSON, and makes a metadata-only value from it. */
public final class MetadataCut {
    private static final byte[] NONE = {};

    private MetadataCut() {}

    /**
     * The metadata's position in a value.
     *
     * @param from and {@code length}: 0 when there is no metadata
     * @param ordered whether its text is what {@link MetadataText} would write
     */
    public record Place(int from, int length, boolean ordered) {
        static final Place NOWHERE = new Place(0, 0, false);
    }

    /**
     * @param resourceVersionOffset of its resourceVersion, which selects the metadata that counts
     *     when the value has two; 0 when unknown
     */
    public static Place find(byte[] json, int resourceVersionOffset) {
        JsonMembers members = new JsonMembers(json, 0, json.length);
        while (members.next()) {
            int from = members.valueFrom();
            int to = members.valueTo();
            boolean counts =
                    resourceVersionOffset == 0
                            ? members.isNamed("metadata")
                            : from < resourceVersionOffset && resourceVersionOffset < to;
            if (counts && json[from] == '{') {
                return at(json, from, to);
            }
        }
        return Place.NOWHERE;
    }

    /** The place of the metadata object between two offsets. */
    public static Place at(byte[] json, int from, int to) {
        return new Place(from, to - from, isOrdered(json, from, to));
    }

    private static boolean isOrdered(byte[] json, int from, int to) {
        if (MetadataOrderCheck.isOrdered(json, from, to)) {
            return true;
        }
        byte[] ordered = MetadataText.ordered(json, from, to);
        return Arrays.equals(ordered, 0, ordered.length, json, from, to);
    }

    /**
     * A value with only {@code kind}, {@code apiVersion} and the metadata, in this order.
     *
     * @param metadataFrom and {@code resourceVersionFrom}: offsets in {@code json}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Value(byte[] json, int metadataFrom, int resourceVersionFrom) {}

    static Value of(byte[] stored, int valueFrom, byte[] metadata) {
        byte[] kind = NONE;
        byte[] apiVersion = NONE;
        JsonMembers members = new JsonMembers(stored, valueFrom, stored.length);
        while ((kind.length == 0 || apiVersion.length == 0) && members.next()) {
            if (members.isNamed("kind")) {
                kind = Arrays.copyOfRange(stored, members.valueFrom(), members.valueTo());
            } else if (members.isNamed("apiVersion")) {
                apiVersion = Arrays.copyOfRange(stored, members.valueFrom(), members.valueTo());
            }
        }
        ByteArrayOutputStream out =
                new ByteArrayOutputStream(metadata.length + kind.length + apiVersion.length + 40);
        out.write('{');
        member(out, "kind", kind);
        member(out, "apiVersion", apiVersion);
        out.writeBytes("\"metadata\":".getBytes(StandardCharsets.US_ASCII));
        int metadataFrom = out.size();
        out.writeBytes(metadata);
        out.write('}');
        return new Value(out.toByteArray(), metadataFrom, metadataFrom + resourceVersion(metadata));
    }

    private static void member(ByteArrayOutputStream out, String name, byte[] value) {
        if (value.length > 0) {
            out.writeBytes(("\"" + name + "\":").getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(value);
            out.write(',');
        }
    }

    /** The offset of its digits. */
    private static int resourceVersion(byte[] metadata) {
        return JsonMembers.find(metadata, 0, metadata.length, "resourceVersion")
                .map(member -> member.valueFrom() + 1)
                .orElseThrow(
                        () -> new IllegalArgumentException("metadata without a resourceVersion"));
    }
}
