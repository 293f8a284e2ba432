package io.tidemark.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.address.HttpAddress;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.NodeRequest;
import io.tidemark.nodeauth.PeerSecret;
import io.tidemark.nodeauth.PeerSecrets;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Access control of a connector's endpoints, against callers that reach its port. */
class ConnectorAccessIT extends ConnectorFixture {
    private static final List<String> INTERNAL =
            List.of(
                    "POST /relist?epoch=1&partition=0",
                    "POST /barrier",
                    "GET /digest?partitions=3",
                    "GET /digest/keys?epoch=1&revision=1&partitions=3&partition=0&groups=false");

    private Connector following() {
        Connector connector = start(config().withSelfCheck(Duration.ofMillis(200)));
        for (int i = 0; i < 30; i++) {
            put("pods/ns/p" + i, object("p" + i, 1));
        }
        awaitMirrored();
        return connector;
    }

    @Test
    void refusesStrangersAndWebPages() throws Exception {
        Connector connector = following();
        for (String target : INTERNAL) {
            TestHttpClient.Answer unauthenticated = send(connector, target);
            assertThat(unauthenticated.status()).as(target).isEqualTo(401);
            assertThat(unauthenticated.text()).doesNotContain("/p1", "revision");
            String[] guess = {"Authorization", "Bearer guess", "Tidemark-Proof", "guess"};
            assertThat(send(connector, target, guess).status()).isEqualTo(401);
            assertThat(send(connector, target, "Origin", "http://evil").status()).isEqualTo(403);
        }
        for (String open : List.of("GET /status", "GET /metrics", "GET /readyz", "GET /livez")) {
            assertThat(send(connector, open).status()).as(open).isEqualTo(200);
            assertThat(send(connector, open, "Origin", "null").status()).as(open).isEqualTo(403);
        }
        assertThat(send(connector, "GET /relist").status()).isEqualTo(405);
        assertThat(send(connector, "GET /nothing").status()).isEqualTo(404);
        try (NodeClient other =
                new NodeClient(PeerSecrets.of(new PeerSecret("of-another-group-")))) {
            HttpAddress address = new HttpAddress("http", "127.0.0.1", connector.port());
            NodeRequest relist = NodeRequest.post("/relist?epoch=1&partition=0");
            assertThatThrownBy(() -> other.ask(address, relist, SOON, 100))
                    .hasMessageContaining("peer secret");
        }
        put("pods/ns/after", object("after", 1));
        awaitMirrored();
        assertThat(connector.status().epoch()).isEqualTo(1);

        NodeClient.Answer relist = ask(connector, NodeRequest.post("/relist?epoch=1&partition=0"));
        assertThat(relist.status()).isEqualTo(200);
        await().until(() -> connector.status().epoch() == 2);
    }

    @Test
    void refusesDigestsForAnotherPartitionCount() throws Exception {
        Connector connector = following();
        await().until(() ->
                ask(connector, NodeRequest.get("/digest?partitions=3")).status() == 200);
        for (String other : List.of("1", "4", "100000", "0", "-1")) {
            assertThat(ask(connector, NodeRequest.get("/digest?partitions=" + other)).status())
                    .isEqualTo(503);
            assertThat(ask(connector, NodeRequest.get("/digest?partitions=3")).status())
                    .isEqualTo(200);
        }
        assertThat(ask(connector, NodeRequest.get("/digest?partitions=x")).status()).isEqualTo(400);
    }

    @Test
    void stalledReadersOfKeyPagesDelayNoOther() throws Exception {
        Connector connector = following();
        long revision = connector.status().revision();
        HttpAddress address = new HttpAddress("http", "127.0.0.1", connector.port());
        List<String> keys = new ArrayList<>();
        for (int partition = 0; partition < 3; partition++) {
            String path =
                    "/digest/keys?epoch=1&revision=%d&partitions=3&partition=%d&groups=false&from="
                            .formatted(revision, partition);
            // The answers of these are never read.
            List<InputStream> stalled = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                stalled.add(node.stream(address, NodeRequest.get(path), SOON));
            }
            NodeClient.Answer answer = ask(connector, NodeRequest.get(path));
            String text = new String(answer.body(), StandardCharsets.US_ASCII);
            assertThat(answer.status()).as(text).isEqualTo(200);
            List<String> lines = text.lines().toList();
            assertThat(lines.getLast()).isEqualTo("end");
            keys.addAll(lines.subList(0, lines.size() - 1));
            for (InputStream each : stalled) {
                each.close();
            }
        }
        assertThat(keys).hasSize(30);
    }

    @Test
    void limitsRequestHeaders() throws Exception {
        Connector connector = following();
        assertThat(send(connector, "GET /livez", "Padding", "x".repeat(40_000)).status())
                .isEqualTo(431);
    }
}
