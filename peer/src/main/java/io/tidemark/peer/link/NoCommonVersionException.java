package io.tidemark.peer.link;

import java.io.IOException;

/** The other node speaks no version of the wire format that this one speaks. */
public final class NoCommonVersionException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param theirs the versions that the other node speaks
     * @param own the versions that this node speaks
     */
    public NoCommonVersionException(String theirs, String own) {
        super("it speaks peer versions %s, this node %s".formatted(theirs, own));
    }
}
