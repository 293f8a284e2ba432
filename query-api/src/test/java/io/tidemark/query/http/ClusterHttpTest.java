package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNode;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeConnection;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.freshness.HttpBarrierSource;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster's status over HTTP. */
class ClusterHttpTest {
    private static QueryNodeFixture fixture;

    @BeforeAll
    static void startNode() {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        fixture = new QueryNodeFixture(cluster);
    }

    @AfterAll
    static void stopNode() {
        fixture.close();
    }

    @Test
    void servesTheClusterAsOneDocument() throws Exception {
        Answer answer = fixture.client.get("/cluster");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        assertThat(answer.json().path("partitions")).hasSize(2);
        assertThat(answer.json().at("/nodes/0/url").asText()).isEqualTo(fixture.url);
        assertThat(answer.json().path("connector").isNull()).isTrue();
        Answer head = fixture.client.send("HEAD", "/cluster");
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void refusesWrites(String method) throws Exception {
        Answer answer = fixture.client.send(method, "/cluster");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.json().path("kind").asText()).isEqualTo("Status");
        assertThat(answer.json().path("reason").asText()).isEqualTo("MethodNotAllowed");
    }

    @Test
    void coalescesRequestsToOneRoundPerSecond() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        ClusterNodes counting =
                new ClusterNodes() {
                    @Override
                    public NodeStatus self(String url, int watches) {
                        return new NodeStatus(url, url, "RUNNING", "", watches, 0, List.of());
                    }

                    @Override
                    public Map<String, Optional<byte[]>> others() {
                        rounds.incrementAndGet();
                        return Map.of("n2:8180", Optional.empty());
                    }
                };
        MirroredCluster cluster = new MirroredCluster(2, 100);
        long began = System.nanoTime();
        try (NodeClient connectors = new NodeClient(PeerSecrets.random());
                QueryNode node =
                        new QueryNode(
                                QueryConfig.listeningOn("127.0.0.1", 0),
                                cluster,
                                counting,
                                new HttpBarrierSource(connectors, Duration.ofSeconds(3)));
                ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor()) {
            node.start();
            try (HttpClientForTests client = new HttpClientForTests(node.url())) {
                List<Future<Answer>> answers = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    String method = i % 2 == 0 ? "GET" : "HEAD";
                    answers.add(askers.submit(() -> client.send(method, "/cluster")));
                }
                for (Future<Answer> answer : answers) {
                    assertThat(answer.get().status()).isEqualTo(200);
                }
            }
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
        assertThat((long) rounds.get()).isBetween(1L, 1 + seconds);
    }

    @Test
    void countsNodesWithoutACommonPeerVersion() throws Exception {
        ClusterNodes mixed =
                new ClusterNodes() {
                    @Override
                    public NodeStatus self(String url, int watches) {
                        return new NodeStatus(url, url, "RUNNING", "", watches, 0, List.of());
                    }

                    @Override
                    public Map<String, Optional<byte[]>> others() {
                        return Map.of("n2:8180", Optional.empty(), "n3:8180", Optional.empty());
                    }

                    @Override
                    public Map<String, NodeConnection> connections() {
                        return Map.of(
                                "n2:8180",
                                new NodeConnection(0, "it speaks others", true),
                                "n3:8180",
                                new NodeConnection(0, "no answer in time", false));
                    }
                };
        try (NodeClient connectors = new NodeClient(PeerSecrets.random());
                QueryNode node =
                        new QueryNode(
                                QueryConfig.listeningOn("127.0.0.1", 0),
                                new MirroredCluster(2, 100),
                                mixed,
                                new HttpBarrierSource(connectors, Duration.ofSeconds(3)))) {
            node.start();
            try (HttpClientForTests client = new HttpClientForTests(node.url())) {
                assertThat(client.get("/metrics").text())
                        .contains("tidemark_peers_incompatible 1.0");
                assertThat(client.get("/cluster").json().path("nodes"))
                        .anySatisfy(each ->
                                assertThat(each.path("reason").asText())
                                        .isEqualTo("it speaks others"));
            }
        }
    }
}
