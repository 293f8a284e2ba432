package io.tidemark.query.encode;

import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.serving.status.StatusException;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.util.Optional;

/** The objects of a response as protobuf messages. For one thread. */
interface ObjectMessages {
    /** The part of each object that a message is made of. */
    Projection projection();

    /** The part that it needs to measure an object. */
    Projection lengthProjection();

    /** The length of an object's message in bytes, if it came with the object; else -1. */
    int keptLength(StoredObject object);

    String apiVersion();

    /** The kind of a list. */
    String listKind();

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
    Optional<byte[]> document(StoredObject object, long resourceVersion);

    /** The object of a bookmark as a document. */
    byte[] bookmark(long resourceVersion, boolean initialEventsEnd);
}
