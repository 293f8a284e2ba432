package io.tidemark.kubernetes.encode;

import io.tidemark.kubernetes.schema.MessageType;
import io.tidemark.kubernetes.schema.Schema;
import io.tidemark.kubernetes.schema.SchemaTables;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.kubernetes.wire.Wire;
import java.util.Optional;

/**
 * Encodes the JSON of one kind's objects as protobuf, as an API server sends and stores them: the
 * message of {@code generated.proto}, and around it {@code runtime.Unknown} behind four magic
 * bytes. A member that the tables lack is left out, as an API server does. Fields come in the order
 * of the JSON; an absent member has no field, where an API server writes some with a zero value.
 * Thread-safe.
 */
public final class KubernetesEncoder {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int TYPE_META = 1;
    private static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;

    private final MessageType type;

    private KubernetesEncoder(MessageType type) {
        this.type = type;
    }

    /** The encoder of a kind; empty when the tables lack it. */
    public static Optional<KubernetesEncoder> of(String apiVersion, String kind) {
        return Optional.ofNullable(SchemaTables.shared().kind(apiVersion, kind))
                .map(KubernetesEncoder::new);
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
        int raw = openEnvelope(apiVersion, kind, out);
        message(json, from, resourceVersion, out);
        closeEnvelope(raw, out);
        return out.toByteArray();
    }

    /** Begins an object of a kind; its message follows. Returns what the other method takes. */
    public static int openEnvelope(String apiVersion, String kind, ProtobufWriter out) {
        envelopeHead(apiVersion, kind, out);
        return out.open(RAW);
    }

    /** Ends an object that was begun last. */
    public static void closeEnvelope(int raw, ProtobufWriter out) {
        out.close(raw);
        envelopeTail(out);
    }

    /** The bytes before a message whose length is known; it and {@link #envelopeTail} follow. */
    public static void envelopeHead(
            String apiVersion, String kind, long messageBytes, ProtobufWriter out) {
        envelopeHead(apiVersion, kind, out);
        out.tag(RAW, Wire.LENGTH);
        out.varint(messageBytes);
    }

    /** The bytes behind the message. An API server writes the two empty texts. */
    public static void envelopeTail(ProtobufWriter out) {
        out.text(CONTENT_ENCODING, "");
        out.text(CONTENT_TYPE, "");
    }

    private static void envelopeHead(String apiVersion, String kind, ProtobufWriter out) {
        out.raw(MAGIC, 0, MAGIC.length);
        int typeMeta = out.open(TYPE_META);
        out.text(1, apiVersion);
        out.text(2, kind);
        out.close(typeMeta);
    }
}
