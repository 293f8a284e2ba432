package io.tidemark.query.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.ClusterStatus;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.Tides;
import io.tidemark.query.status.Refusals;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * {@code /cluster}: the whole in one document, asked of all nodes at once; see ClusterStatus. All
 * who ask within a second share one round.
 */
final class ClusterEndpoint {
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ROUND = Duration.ofSeconds(1);

    private final Tides tides;
    private final Supplier<NodeStatus> self;
    private final ClusterNodes nodes;
    private final InstantSource clock;
    private final SharedRounds<byte[]> rounds =
            new SharedRounds<>(ROUND, System::nanoTime, this::ask);

    ClusterEndpoint(
            Tides tides, Supplier<NodeStatus> self, ClusterNodes nodes, InstantSource clock) {
        this.tides = tides;
        this.self = self;
        this.nodes = nodes;
        this.clock = clock;
    }

    void handle(Exchange exchange) throws IOException, InterruptedException {
        if (!READING.contains(exchange.method())) {
            throw Refusals.methodNotAllowed();
        }
        exchange.answer(200, "application/json", rounds.get());
    }

    private byte[] ask() throws IOException, InterruptedException {
        Map<String, Optional<byte[]>> others = nodes.others();
        return new ClusterStatus(
                        self.get(), others, connector(), tides.partitions(), clock.millis())
                .toJson();
    }

    private Optional<JsonNode> connector() throws InterruptedException {
        int partitions = tides.partitions();
        String url = partitions == 0 ? "" : tides.now(new PartitionSet(0, partitions)).connector();
        if (url.isEmpty()) {
            return Optional.empty();
        }
        Optional<byte[]> answer = nodes.connector(url);
        try {
            return answer.isEmpty() ? Optional.empty() : Optional.of(JSON.readTree(answer.get()));
        } catch (IOException _) {
            return Optional.empty(); // Shown as one that does not answer.
        }
    }
}
