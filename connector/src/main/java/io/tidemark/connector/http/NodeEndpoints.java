package io.tidemark.connector.http;

import io.tidemark.connector.http.Barriers.Barrier;
import io.tidemark.connector.http.Barriers.BarrierException;
import io.tidemark.connector.metrics.ConnectorMetrics;
import io.tidemark.connector.metrics.TermGauges;
import io.tidemark.http.NodeExchange;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/** Endpoints for nodes: barriers and relists. */
final class NodeEndpoints {
    private final Barriers barriers;
    private final ConnectorHttp.Relister relister;
    private final ConnectorMetrics metrics;

    NodeEndpoints(Barriers barriers, ConnectorHttp.Relister relister, ConnectorMetrics metrics) {
        this.barriers = barriers;
        this.relister = relister;
        this.metrics = metrics;
    }

    void barrier(NodeExchange exchange) throws IOException, InterruptedException {
        TermGauges term = metrics.term();
        long began = System.nanoTime();
        Barrier barrier;
        try {
            barrier = barriers.await();
        } catch (BarrierException e) {
            metrics.barrierFailed();
            DigestEndpoints.refuse(exchange, 503, String.valueOf(e.getMessage()));
            return;
        }
        metrics.barrier(Duration.ofNanos(System.nanoTime() - began));
        term.etcdSeen(barrier.revision());
        exchange.answer(
                200,
                "{\"revision\":%d,\"epoch\":%d}".formatted(barrier.revision(), barrier.epoch()));
    }

    void relist(NodeExchange exchange) throws IOException {
        long epoch;
        int partition;
        try {
            epoch = Long.parseLong(Objects.requireNonNullElse(exchange.query("epoch"), ""));
            partition =
                    Integer.parseInt(Objects.requireNonNullElse(exchange.query("partition"), ""));
        } catch (NumberFormatException _) {
            DigestEndpoints.refuse(exchange, 400, "epoch and partition are numbers");
            return;
        }
        OptionalLong now = relister.relist(epoch, "a node lacks records of partition " + partition);
        if (now.isPresent()) {
            exchange.answer(200, "{\"epoch\":%d}".formatted(now.getAsLong()));
        } else {
            DigestEndpoints.refuse(exchange, 503, "no such epoch is written here");
        }
    }
}
