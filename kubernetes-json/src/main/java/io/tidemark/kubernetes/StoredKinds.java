package io.tidemark.kubernetes;

import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.FieldCursor;
import java.util.Arrays;

/**
 * Identifies objects of selected kinds by their values, for any key: in Kubernetes' protobuf
 * envelope and in JSON, also in a list of objects. Never throws; judges a truncated value by its
 * beginning. Does not inspect ciphertext, YAML or text within text.
 */
public final class StoredKinds {
    private static final byte[] PROTOBUF = {'k', '8', 's', 0};
    private static final int TYPE_META = 1;
    private static final int API_VERSION = 1;
    private static final int KIND = 2;
    private static final long ALL = -1L;

    private StoredKinds() {}

    /**
     * The selections of which some reader may find an object in these bytes; once there is one,
     * others may be missing. Time is linear in the number of bytes.
     */
    public static long inValue(
            byte[] bytes, int fromInclusive, int toExclusive, KindSelector selector) {
        return isProtobuf(bytes, fromInclusive, toExclusive)
                ? inEnvelope(bytes, fromInclusive + PROTOBUF.length, toExclusive, selector)
                : new TypeMetaScan(bytes, fromInclusive, toExclusive, selector).inText();
    }

    /**
     * All selections of a Kubernetes object that is known to be well-formed with one kind and
     * apiVersion: reads only up to these, except in a List.
     */
    public static long inObject(
            byte[] json, int fromInclusive, int toExclusive, KindSelector selector) {
        return new TypeMetaScan(json, fromInclusive, toExclusive, selector).inObject();
    }

    static boolean isProtobuf(byte[] bytes, int from, int to) {
        return to - from >= PROTOBUF.length
                && Arrays.equals(bytes, from, from + PROTOBUF.length, PROTOBUF, 0, PROTOBUF.length);
    }

    /** A protobuf List is selected without inspection, as no API server stores one. */
    private static long inEnvelope(byte[] source, int from, int to, KindSelector selector) {
        long versions = 0;
        long kinds = 0;
        boolean v1 = false;
        boolean list = false;
        try {
            FieldCursor envelope = new FieldCursor(source, from, to);
            while (envelope.next()) {
                if (!envelope.isBytes() || envelope.number() != TYPE_META) {
                    continue;
                }
                FieldCursor type = new FieldCursor(source, envelope.from(), envelope.to());
                while (type.next()) {
                    if (type.isBytes() && type.number() == API_VERSION) {
                        versions |= selector.apiVersions(source, type.from(), type.to());
                        v1 |= TypeMetaScan.spells(source, type.from(), type.to(), "v1");
                    } else if (type.isBytes() && type.number() == KIND) {
                        kinds |= selector.kinds(source, type.from(), type.to());
                        list |= TypeMetaScan.spells(source, type.from(), type.to(), "list");
                    }
                }
            }
        } catch (DecodeException _) {
            // Truncated: judged by its beginning.
        }
        return v1 && list ? ALL : versions & kinds;
    }
}
