package io.tidemark.view;

/** How much of each object a read wants. It is data, so that a peer may be asked with it. */
public enum Projection {
    /** All of it. */
    WHOLE,
    /** What {@link StoredObject#metadataOnly} leaves: a fraction of it, read from its own place. */
    METADATA;

    /** As much of an object as is wanted. */
    public StoredObject of(StoredObject object) {
        return switch (this) {
            case WHOLE -> object;
            case METADATA -> object.metadataOnly();
        };
    }
}
