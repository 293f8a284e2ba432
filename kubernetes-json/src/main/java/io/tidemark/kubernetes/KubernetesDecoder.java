package io.tidemark.kubernetes;

import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.Schema;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.DecodeResult;
import io.tidemark.kubernetes.wire.DecodeResult.Reason;
import io.tidemark.kubernetes.wire.DecodeResult.Refused;
import io.tidemark.kubernetes.wire.Envelope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes a value that an API server stored as protobuf to the JSON that it serves for the stored
 * version. Thread-safe; use one per process, as loading the tables takes some tens of milliseconds.
 *
 * <p>Every input is decoded or refused with a reason. Time is linear in the input for all values
 * that an API server writes; memory is bounded by the two limits.
 */
public final class KubernetesDecoder {
    private static final byte[] ENCRYPTED_PREFIX = "k8s:enc:".getBytes(StandardCharsets.US_ASCII);

    /** Begins the text of a refusal that is a bug, as the value may be well-formed. */
    static final String FAULT = "a fault of the decoder: ";

    /** Above etcd's default request limit of 1.5 MiB, with room for raised limits. */
    public static final int DEFAULT_MAX_VALUE_BYTES = 8 << 20;

    public static final int DEFAULT_MAX_JSON_BYTES = 32 << 20;

    private final Schema schema;
    private final int maxValueBytes;
    private final int maxJsonBytes;

    /** With the default limits. */
    public KubernetesDecoder() {
        this(DEFAULT_MAX_VALUE_BYTES, DEFAULT_MAX_JSON_BYTES);
    }

    /** The limits are inclusive, in bytes; above them a value is refused as {@code TOO_LARGE}. */
    public KubernetesDecoder(int maxValueBytes, int maxJsonBytes) {
        if (maxValueBytes <= 0 || maxJsonBytes <= 0) {
            throw new IllegalArgumentException(
                    "limits must be positive: " + maxValueBytes + ", " + maxJsonBytes);
        }
        this.schema = SchemaTables.shared();
        this.maxValueBytes = maxValueBytes;
        this.maxJsonBytes = maxJsonBytes;
    }

    /** Whether the value is in the protobuf envelope, so that {@link #decode} applies. */
    static boolean isProtobuf(byte[] storedValue) {
        return Envelope.begins(storedValue);
    }

    /** Whether the value is encrypted at rest. */
    static boolean isEncrypted(byte[] storedValue) {
        return startsWith(storedValue, ENCRYPTED_PREFIX);
    }

    /** The object without {@code metadata.resourceVersion}. */
    public DecodeResult decode(byte[] storedValue) {
        return decode(storedValue, 0);
    }

    /**
     * The object as served.
     *
     * @param resourceVersion printed as {@code metadata.resourceVersion}: the key's mod_revision; 0
     *     leaves the member out
     */
    public DecodeResult decode(byte[] storedValue, long resourceVersion) {
        if (!isProtobuf(storedValue)) {
            return notProtobuf(storedValue);
        }
        if (storedValue.length > maxValueBytes) {
            return new Refused(
                    Reason.TOO_LARGE,
                    storedValue.length + " bytes, above the limit of " + maxValueBytes);
        }
        try {
            return transcode(Envelope.parse(storedValue, Envelope.START), resourceVersion);
        } catch (DecodeException e) {
            return e.answer();
        } catch (JsonTooLargeException e) {
            return new Refused(Reason.TOO_LARGE, String.valueOf(e.getMessage()));
        } catch (MalformedJsonException e) {
            return new Refused(Reason.MALFORMED, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            return fault(e);
        }
    }

    /** One hostile object must not stop the connector, and with it the mirror of all others. */
    private static Refused fault(RuntimeException e) {
        String at =
                Arrays.stream(e.getStackTrace())
                        .filter(frame -> frame.getClassName().startsWith("io.tidemark."))
                        .map(frame -> " at " + frame)
                        .findFirst()
                        .orElse("");
        // Without the message, which could quote the value.
        return new Refused(Reason.MALFORMED, FAULT + e.getClass().getName() + at);
    }

    private DecodeResult transcode(Envelope envelope, long resourceVersion) {
        MessageType type = schema.kind(envelope.apiVersion(), envelope.kind());
        if (type == null) {
            return new Refused(
                    Reason.UNKNOWN_KIND,
                    "no table for " + envelope.kind() + " of " + envelope.apiVersion());
        }
        return new Transcoder(envelope, resourceVersion, maxJsonBytes).object(type);
    }

    private static Refused notProtobuf(byte[] value) {
        if (isEncrypted(value)) {
            return new Refused(
                    Reason.ENCRYPTED, "encrypted at rest, by " + encryptionProvider(value));
        }
        return new Refused(Reason.NOT_PROTOBUF, "does not begin with k8s\\0");
    }

    /** {@code aescbc} of {@code k8s:enc:aescbc:v1:key1:…}. */
    private static String encryptionProvider(byte[] value) {
        int end = ENCRYPTED_PREFIX.length;
        while (end < Math.min(value.length, 40) && value[end] != ':') {
            end++;
        }
        return new String(
                value,
                ENCRYPTED_PREFIX.length,
                end - ENCRYPTED_PREFIX.length,
                StandardCharsets.US_ASCII);
    }

    private static boolean startsWith(byte[] value, byte[] prefix) {
        return value.length >= prefix.length
                && Arrays.equals(value, 0, prefix.length, prefix, 0, prefix.length);
    }
}
