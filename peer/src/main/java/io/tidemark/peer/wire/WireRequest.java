package io.tidemark.peer.wire;

import io.tidemark.view.request.ReadRequest;

/**
 * A read of another node's replica.
 *
 * @param maxAnswerBytes above it the replica states the size of its answer instead of sending it
 */
public record WireRequest(ReadRequest<?> read, long maxAnswerBytes) {
    /** For a reader that cannot state a limit. */
    static final long UNLIMITED = Long.MAX_VALUE;
}
