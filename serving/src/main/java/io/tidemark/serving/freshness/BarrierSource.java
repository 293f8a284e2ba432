package io.tidemark.serving.freshness;

import io.tidemark.concurrent.Coalescer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Reads etcd's revision, linearizably, through a connector. */
public interface BarrierSource {
    /**
     * A revision that was read after this call began.
     *
     * @param connector address of the connector to ask, such as {@code http://10.0.0.7:8090}
     * @throws IOException when the connector or its etcd does not answer; the message says why
     */
    Barrier take(String connector) throws IOException, InterruptedException;

    /** The same without blocking the caller; fails with what {@link #take} throws. */
    default CompletableFuture<Barrier> begin(String connector) {
        return Coalescer.onThread("barrier", () -> take(connector));
    }
}
