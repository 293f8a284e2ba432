package io.tidemark.serving.read;

import java.io.IOException;

/** Asks for etcd's revision, linearizably. */
public interface BarrierSource {
    /**
     * A revision that was read after this call began.
     *
     * @param connector address of the connector to ask, such as {@code http://10.0.0.7:8090}
     * @throws IOException when it, or etcd behind it, could not be asked; the message says why
     */
    Barrier take(String connector) throws IOException, InterruptedException;
}
