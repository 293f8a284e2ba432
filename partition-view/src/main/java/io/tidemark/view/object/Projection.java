package io.tidemark.view.object;

/** How much of each object a read returns. It is data, so that it can be sent to a peer. */
public enum Projection {
    /** The whole object. */
    WHOLE,
    /** {@link StoredObject#metadataOnly}: a fraction of it, stored in a separate family. */
    METADATA;

    /** Applies the projection to an object. */
    public StoredObject of(StoredObject object) {
        return switch (this) {
            case WHOLE -> object;
            case METADATA -> object.metadataOnly();
        };
    }
}
