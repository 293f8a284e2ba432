package io.tidemark.serving.freshness;

import io.tidemark.concurrent.Coalescer;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Shares barriers between concurrent requests: however many requests come, the connector is asked
 * once per round trip.
 */
public final class Barriers {
    private final Coalescer<Barrier> calls;

    /**
     * @param connector the address to ask; empty while none is known
     */
    public Barriers(BarrierSource source, Supplier<String> connector) {
        this.calls =
                new Coalescer<>(() -> {
                    String address = connector.get();
                    return address.isEmpty()
                            ? CompletableFuture.failedFuture(
                                    new IOException("no connector is known yet"))
                            : source.begin(address);
                });
    }

    /**
     * A barrier that is started after this call; shared, so only for reading. It fails with the
     * reason why there is none.
     */
    public CompletableFuture<Barrier> take() {
        return calls.join();
    }
}
