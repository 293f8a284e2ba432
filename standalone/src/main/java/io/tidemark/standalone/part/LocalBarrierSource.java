package io.tidemark.standalone.part;

import io.tidemark.connector.http.Barriers;
import io.tidemark.serving.freshness.Barrier;
import io.tidemark.serving.freshness.BarrierSource;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * Takes barriers from the connector in this process without HTTP when that is the one to ask, and
 * from any other as a node without a connector does.
 *
 * @param address of the connector in this process
 * @param barrier begins a barrier of that connector
 * @param others asks connectors in other processes
 */
public record LocalBarrierSource(
        Supplier<String> address,
        Supplier<CompletableFuture<Barriers.Barrier>> barrier,
        BarrierSource others)
        implements BarrierSource {
    @Override
    public CompletableFuture<Barrier> begin(String connector) {
        return connector.equals(address.get())
                ? barrier.get().thenApply(read -> new Barrier(read.epoch(), read.revision()))
                : others.begin(connector);
    }

    @Override
    public Barrier take(String connector) throws IOException, InterruptedException {
        try {
            return begin(connector).get();
        } catch (ExecutionException e) {
            throw new IOException(Objects.requireNonNullElse(e.getCause(), e).getMessage(), e);
        }
    }
}
