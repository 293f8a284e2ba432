package io.tidemark.view.object;

/**
 * How much of each object a read returns, and in which form. It is data, so that it can be sent to
 * a peer.
 */
public sealed interface Projection {
    /** The whole object. */
    Projection WHOLE = new Whole();

    /** {@link StoredObject#metadataOnly}: a fraction of it, stored in a separate family. */
    Projection METADATA = new Metadata();

    /** See {@link ChecksumForm}; stored in a separate family. */
    Projection CHECKSUM = new Checksum();

    /** See {@link #WHOLE}. */
    record Whole() implements Projection {}

    /** See {@link #METADATA}. */
    record Metadata() implements Projection {}

    /** See {@link #CHECKSUM}. */
    record Checksum() implements Projection {}

    /**
     * The object as a protobuf message, where a store keeps that of this type; else the whole
     * object, whose reader encodes it.
     *
     * @param type see {@link ProtobufForm}
     */
    record Protobuf(String type) implements Projection {}

    /**
     * The length of that message without any value, where a store keeps it; else the whole object.
     *
     * @param type see {@link ProtobufForm}
     */
    record ProtobufLength(String type) implements Projection {}

    /**
     * Whether an object, in the form that a store has at hand, is what this returns once it has
     * passed {@link #of}. If not, the whole object is.
     */
    default boolean accepts(StoredObject object) {
        return switch (this) {
            case Whole _, Metadata _, Checksum _ -> true;
            case Protobuf(String type) ->
                    ProtobufForm.isMessage(object) && ProtobufForm.length(object, type) >= 0;
            case ProtobufLength(String type) -> ProtobufForm.length(object, type) >= 0;
        };
    }

    /** Applies the projection to a whole object, or to one that it accepts. */
    default StoredObject of(StoredObject object) {
        return switch (this) {
            case Metadata _ -> object.metadataOnly();
            case Checksum _ -> object.isMetadataOnly() ? object : ChecksumForm.of(object);
            case Whole _, Protobuf _, ProtobufLength _ -> object;
        };
    }
}
