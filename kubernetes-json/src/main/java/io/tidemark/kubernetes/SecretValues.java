package io.tidemark.kubernetes;

import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.FieldCursor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Identifies core Secrets by their values, for any key: Kubernetes' protobuf envelope or JSON whose
 * kind is {@code Secret} or {@code SecretList} and whose apiVersion is {@code v1}, and a {@code
 * List} of such. Never throws; judges a truncated value by its beginning. Does not inspect
 * ciphertext, YAML or text within text.
 */
public final class SecretValues {
    private static final byte[] PROTOBUF = {'k', '8', 's', 0};
    private static final int TYPE_META = 1;
    private static final int API_VERSION = 1;
    private static final int KIND = 2;

    private SecretValues() {}

    /** For any bytes. Time is linear in their number. */
    public static boolean isSecret(byte[] bytes, int fromInclusive, int toExclusive) {
        if (isProtobuf(bytes, fromInclusive, toExclusive)) {
            return isSecretEnvelope(bytes, fromInclusive + PROTOBUF.length, toExclusive);
        }
        return new TypeMetaScan(bytes, fromInclusive, toExclusive, false).anySecret();
    }

    /**
     * For the JSON of a Kubernetes object that is known to be well-formed with one kind and
     * apiVersion: reads only up to these.
     */
    public static boolean isSecretObject(byte[] json, int fromInclusive, int toExclusive) {
        return new TypeMetaScan(json, fromInclusive, toExclusive, true).anySecret();
    }

    private static boolean isProtobuf(byte[] bytes, int from, int to) {
        return to - from >= PROTOBUF.length
                && Arrays.equals(bytes, from, from + PROTOBUF.length, PROTOBUF, 0, PROTOBUF.length);
    }

    /** A protobuf List counts as Secrets without inspection, as no API server stores one. */
    private static boolean isSecretEnvelope(byte[] source, int from, int to) {
        String apiVersion = "";
        String kind = "";
        try {
            FieldCursor envelope = new FieldCursor(source, from, to);
            while (envelope.next()) {
                if (!envelope.isBytes() || envelope.number() != TYPE_META) {
                    continue;
                }
                FieldCursor type = new FieldCursor(source, envelope.from(), envelope.to());
                while (type.next()) {
                    if (type.isBytes() && type.number() == API_VERSION) {
                        apiVersion = text(source, type);
                    } else if (type.isBytes() && type.number() == KIND) {
                        kind = text(source, type);
                    }
                }
            }
        } catch (DecodeException _) {
            // Truncated: judged by its beginning.
        }
        return apiVersion.equals("v1")
                && switch (kind) {
                    case "Secret", "SecretList", "List" -> true;
                    default -> false;
                };
    }

    private static String text(byte[] source, FieldCursor field) {
        int length = Math.min(field.to() - field.from(), 64);
        return new String(source, field.from(), length, StandardCharsets.UTF_8);
    }
}
