package io.tidemark.bench.http;

import java.nio.ByteBuffer;

/** Receives the parts of a body, without the framing of HTTP. */
@FunctionalInterface
public interface BodySink {
    /** Only counts. */
    BodySink DISCARD = _ -> {};

    /**
     * @param part little-endian; valid during the call only
     */
    void accept(ByteBuffer part);
}
