package io.tidemark.query.encode;

import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.wire.DecodeException;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.FieldCursor;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.view.object.StoredObject;
import java.util.Arrays;
import java.util.Optional;

/**
 * A stored object in etcd's protobuf, of a kind that no schema describes. All that is known of its
 * message is what every kind has in common: that field 1 is its metadata, and field 6 of that its
 * resourceVersion.
 *
 * @param source contains the message
 * @param message the bytes of the object, without its kind
 * @param metadata the value of its metadata
 */
public record StoredEnvelope(
        String apiVersion, String kind, byte[] source, Range message, Range metadata) {
    private static final int METADATA = 1;
    private static final int RESOURCE_VERSION = 6;

    /** A part of the source. */
    public record Range(int from, int to) {}

    /**
     * The envelope of a stored value; empty for anything else, and for what is malformed, is a
     * Secret, or is of a kind that has a schema.
     */
    public static Optional<StoredEnvelope> of(StoredObject object) {
        if (!object.isUnreadable() || object.isSecret() || object.isWithheld()) {
            return Optional.empty();
        }
        byte[] stored = object.stored();
        byte[] value = Arrays.copyOfRange(stored, object.valueOffset(), stored.length);
        if (!Envelope.begins(value)) {
            return Optional.empty();
        }
        try {
            Envelope envelope = Envelope.parse(value, Envelope.START);
            return KubernetesEncoder.of(envelope.apiVersion(), envelope.kind()).isPresent()
                    ? Optional.empty()
                    : metadata(envelope).map(metadata -> of(envelope, metadata));
        } catch (DecodeException _) {
            return Optional.empty();
        }
    }

    private static StoredEnvelope of(Envelope envelope, Range metadata) {
        return new StoredEnvelope(
                envelope.apiVersion(),
                envelope.kind(),
                envelope.source(),
                new Range(envelope.from(), envelope.to()),
                metadata);
    }

    /** Empty when it is missing or there are several. */
    private static Optional<Range> metadata(Envelope envelope) {
        Optional<Range> found = Optional.empty();
        FieldCursor fields = new FieldCursor(envelope.source(), envelope.from(), envelope.to());
        while (fields.next()) {
            if (fields.number() == METADATA) {
                if (found.isPresent() || !fields.isBytes()) {
                    return Optional.empty();
                }
                found = Optional.of(new Range(fields.from(), fields.to()));
            }
        }
        return found;
    }

    /** Whether it is of a kind in a version. */
    public boolean is(String wantedApiVersion, String wantedKind) {
        return apiVersion.equals(wantedApiVersion) && kind.equals(wantedKind);
    }

    /** Appends the message, with a resourceVersion at the end of its metadata. */
    void write(long resourceVersion, ProtobufWriter out) {
        FieldCursor fields = new FieldCursor(source, message.from, message.to);
        while (fields.next()) {
            if (fields.number() == METADATA) {
                writeMetadata(resourceVersion, out);
            } else {
                out.raw(source, fields.tagAt(), fields.to());
            }
        }
    }

    /** Appends the metadata only. The last value of a field counts, so it replaces a stored one. */
    void writeMetadata(long resourceVersion, ProtobufWriter out) {
        int opened = out.open(METADATA);
        out.raw(source, metadata.from, metadata.to);
        out.text(RESOURCE_VERSION, Long.toString(resourceVersion));
        out.close(opened);
    }
}
