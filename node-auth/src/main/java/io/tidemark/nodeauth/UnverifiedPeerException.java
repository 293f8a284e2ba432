package io.tidemark.nodeauth;

import java.io.IOException;

/** The other side has not proven that it belongs to the group; the message says how. */
final class UnverifiedPeerException extends IOException {
    private static final long serialVersionUID = 1L;

    UnverifiedPeerException(String message) {
        super(message);
    }
}
