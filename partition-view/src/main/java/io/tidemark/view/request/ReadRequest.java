package io.tidemark.view.request;

/**
 * A read on a partition, as data: so a local replica, a remote one and all of them together answer
 * the same requests.
 *
 * @param <T> what the answer holds
 */
public sealed interface ReadRequest<T>
        permits GetRequest,
                ScanRequest,
                ChangesRequest,
                VersionsRequest,
                RevisionAtRequest,
                UnreadableRequest {
    /** The revision that a replica must hold to answer; 0 when any replica can. */
    long revision();

    /** A replica whose watermark has reached this answers in full; another may answer in part. */
    default long throughRevision() {
        return revision();
    }

    /** Bounds the objects of a page, which may exceed it by one; 0 for an answer without pages. */
    default int maxBytes() {
        return 0;
    }

    /**
     * Whether no other replica can know more; if not, the others are asked too.
     *
     * @param watermark the newest that any replica has shown
     */
    default boolean isCompleteAnswer(T answer, long watermark) {
        return true;
    }
}
