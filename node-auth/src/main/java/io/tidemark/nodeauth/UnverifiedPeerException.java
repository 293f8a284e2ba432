package io.tidemark.nodeauth;

import java.io.IOException;

/** The other side has not proven that it belongs to the group; the message says how. */
public final class UnverifiedPeerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    UnverifiedPeerException(String message) {
        this(message, 0);
    }

    UnverifiedPeerException(String message, int status) {
        super(message);
        this.status = status;
    }

    /** HTTP status of an answer without a proof; 0 when there was no answer to a request. */
    public int status() {
        return status;
    }
}
