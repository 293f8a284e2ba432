package io.tidemark.query.http.health;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.concurrent.Coalescer;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.ClusterStatus;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.status.StatusErrors;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * {@code /cluster}: the status of the cluster, collected from all nodes in parallel; see
 * ClusterStatus. Requests within a second share one collection.
 */
public final class ClusterEndpoint {
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration REUSE = Duration.ofSeconds(1);

    /** Longer than two collections: one that runs, and the one that a request waits for. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final WatermarkTracker watermarks;
    private final Supplier<NodeStatus> self;
    private final ClusterNodes nodes;
    private final InstantSource clock;
    private final Coalescer<byte[]> collections =
            new Coalescer<>(
                    "cluster-status", new RecentResult<>(REUSE, System::nanoTime, this::ask));

    /** Asks the nodes that are known when a request comes. */
    public ClusterEndpoint(
            WatermarkTracker watermarks,
            Supplier<NodeStatus> self,
            ClusterNodes nodes,
            InstantSource clock) {
        this.watermarks = watermarks;
        this.self = self;
        this.nodes = nodes;
        this.clock = clock;
    }

    /** Answers one request, of any method. */
    public void handle(Exchange exchange) throws IOException, InterruptedException {
        if (!READING.contains(exchange.method())) {
            throw StatusErrors.methodNotAllowed();
        }
        exchange.response().answer(200, "application/json", status());
    }

    private byte[] status() throws InterruptedException {
        try {
            return collections.get(TIMEOUT);
        } catch (TimeoutException _) {
            throw StatusErrors.requestTimedOut();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refused
                    ? refused
                    : new IllegalStateException(e);
        }
    }

    private byte[] ask() throws IOException, InterruptedException {
        Map<String, Optional<byte[]>> others = nodes.others();
        return new ClusterStatus(
                        self.get(),
                        others,
                        nodes.connections(),
                        connector(),
                        watermarks.partitions(),
                        clock.millis())
                .toJson();
    }

    private Optional<JsonNode> connector() throws InterruptedException {
        int partitions = watermarks.partitions();
        String url =
                partitions == 0
                        ? ""
                        : watermarks.status(new PartitionSet(0, partitions)).connector();
        if (url.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> answer = nodes.connector(url);
        try {
            return answer.isEmpty() ? Optional.empty() : Optional.of(JSON.readTree(answer.get()));
        } catch (IOException _) {
            return Optional.empty(); // Reported as not answering.
        }
    }
}
