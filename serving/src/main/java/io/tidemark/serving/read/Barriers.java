package io.tidemark.serving.read;

import io.tidemark.concurrent.Coalescer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
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
                new Coalescer<>(
                        "barrier",
                        () -> {
                            String address = connector.get();
                            if (address.isEmpty()) {
                                throw new IOException("no connector is known yet");
                            }
                            return source.take(address);
                        });
    }

    /**
     * A barrier that is started after this call.
     *
     * @throws ExecutionException when the barrier failed; the cause says why
     * @throws TimeoutException when there was none in time
     */
    public Barrier take(Duration within)
            throws ExecutionException, TimeoutException, InterruptedException {
        return calls.get(within);
    }
}
