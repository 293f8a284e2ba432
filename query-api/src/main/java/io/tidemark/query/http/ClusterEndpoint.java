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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** {@code /cluster}: the whole in one document, asked of everybody at once; see ClusterStatus. */
final class ClusterEndpoint {
    private static final Set<String> READING = Set.of("GET", "HEAD");
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration ANSWER = Duration.ofSeconds(1);
    private static final long MAX_ANSWER = 1 << 20;

    private final Tides tides;
    private final Supplier<NodeStatus> self;
    private final ClusterNodes nodes;
    private final InstantSource clock;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER).build();

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
        Map<String, Optional<byte[]>> others = nodes.others();
        ClusterStatus status =
                new ClusterStatus(
                        self.get(), others, connector(), tides.partitions(), clock.millis());
        exchange.answer(200, "application/json", status.toJson());
    }

    private Optional<JsonNode> connector() throws InterruptedException {
        int partitions = tides.partitions();
        String url = partitions == 0 ? "" : tides.now(new PartitionSet(0, partitions)).connector();
        if (url.isEmpty()) {
            return Optional.empty();
        }
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(url + "/status")).timeout(ANSWER).build();
            var answer =
                    http.send(
                            request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
            return answer.statusCode() == 200
                    ? Optional.of(JSON.readTree(answer.body()))
                    : Optional.empty();
        } catch (IOException | IllegalArgumentException _) {
            return Optional.empty(); // Shown as one that does not answer.
        }
    }
}
