package io.tidemark.peer.wire;

import java.io.IOException;

/** Bytes from another node are malformed. */
public final class WireException extends IOException {
    private static final long serialVersionUID = 1L;

    WireException(String message) {
        super(message);
    }
}
