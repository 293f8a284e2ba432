package io.tidemark.kubernetes.encode;

import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.Schema;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import java.util.Optional;

/**
 * Encodes the JSON of one kind's objects as protobuf, as an API server sends and stores them: the
 * message of {@code generated.proto}, alone or in its {@link Envelope}. A member that the tables
 * lack is left out, as an API server does. Fields come in the order of the JSON; an absent member
 * has no field, where an API server writes some with a zero value. Thread-safe.
 */
public final class KubernetesEncoder {
    /** To be raised when the encoder writes the same JSON in another way. */
    private static final int FORMAT = 1;

    private final MessageType type;

    private KubernetesEncoder(MessageType type) {
        this.type = type;
    }

    /** The encoder of a kind; empty when the tables lack it. */
    public static Optional<KubernetesEncoder> of(String apiVersion, String kind) {
        return Optional.ofNullable(SchemaTables.shared().kind(apiVersion, kind))
                .map(KubernetesEncoder::new);
    }

    /** Names the messages that this program writes: another version may write others. */
    public static String version() {
        return FORMAT + " " + SchemaTables.shared().fingerprint();
    }

    /**
     * The encoder of a message that is no stored kind, such as {@code meta.v1.APIGroupList}.
     *
     * @throws IllegalArgumentException when the tables lack it
     */
    public static KubernetesEncoder ofMessage(String name) {
        Schema schema = SchemaTables.shared();
        MessageType type = schema.messages().get(name);
        if (type == null) {
            throw new IllegalArgumentException("no schema table defines " + name);
        }
        return new KubernetesEncoder(type);
    }

    /**
     * Appends the message of an object, without an envelope. If it fails, a part may have been
     * written.
     *
     * @param json of which the object begins at {@code from} and ends with the array
     * @param resourceVersion to write in place of the object's own; 0 for its own
     * @throws EncodeException when the JSON contradicts the schema, or is none
     */
    public void message(byte[] json, int from, long resourceVersion, ProtobufWriter out) {
        new MessageEncoder(json, from, resourceVersion, out).object(type);
    }

    /** A whole object in its envelope; parameters and errors as for {@link #message}. */
    public byte[] object(
            String apiVersion, String kind, byte[] json, int from, long resourceVersion) {
        ProtobufWriter out = new ProtobufWriter(json.length - from);
        int raw = Envelope.open(apiVersion, kind, out);
        message(json, from, resourceVersion, out);
        Envelope.close(raw, out);
        return out.toByteArray();
    }
}
