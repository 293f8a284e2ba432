package io.tidemark.query.encode;

import io.tidemark.kubernetes.wire.Envelope;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/** The objects of a response as protobuf messages. For one thread. */
interface ObjectMessages {
    /** The kind of metadata that is shown alone. */
    String PARTIAL = "PartialObjectMetadata";

    /** The part of each object that a message is made of. */
    Projection projection();

    /** The part that it needs to measure an object. */
    Projection lengthProjection();

    /** The length of an object's message in bytes, if it came with the object; else -1. */
    int keptLength(StoredObject object);

    /**
     * All that messages depend on besides the objects, to be taken before they are made; empty if
     * lists must not share their messages.
     */
    default Optional<Object> sharedForm() {
        return Optional.empty();
    }

    /** Whether an object's message may be kept in memory. */
    default boolean isKept(StoredObject object) {
        return false;
    }

    /** Whether messages are known by the checksums of whole objects. */
    default boolean areSummed() {
        return false;
    }

    String apiVersion();

    String kind();

    /** The kind of a list. */
    default String listKind() {
        return kind() + "List";
    }

    /** Whether the objects are whole, not only metadata. */
    boolean isWhole();

    /**
     * Appends an object's message; false, and nothing is written, when it cannot be served in this
     * version.
     *
     * @param object in the form of {@link #projection}, or whole
     * @param resourceVersion to show in place of the object's own, which a message has
     * @throws StatusException 500 when the stored object contradicts its kind's schema
     */
    boolean write(StoredObject object, long resourceVersion, ProtobufWriter out);

    /**
     * The object as a document; empty when it cannot be served in this version.
     *
     * @throws StatusException as {@link #write}
     */
    default Optional<byte[]> document(StoredObject object, long resourceVersion) {
        ProtobufWriter out = new ProtobufWriter(object.stored().length);
        int envelope = Envelope.open(apiVersion(), kind(), out);
        if (!write(object, resourceVersion, out)) {
            return Optional.empty();
        }
        Envelope.close(envelope, out);
        return Optional.of(out.toByteArray());
    }

    /** The object of a bookmark as a document. */
    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
