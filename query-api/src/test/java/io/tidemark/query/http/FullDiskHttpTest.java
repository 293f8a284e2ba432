package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.query.QueryConfig;
import io.tidemark.query.QueryNode;
import io.tidemark.query.cluster.ClusterNodes;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.query.testing.HttpClientForTests;
import io.tidemark.serving.freshness.HttpBarrierSource;
import io.tidemark.serving.testing.MirroredCluster;
import io.tidemark.view.DiskState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FullDiskHttpTest {
    private volatile DiskState disk =
            new DiskState("/state", 500 << 20, 1_000 << 20, List.of(), "");
    private final NodeClient connectors = new NodeClient(PeerSecrets.random());
    private final QueryNode node =
            new QueryNode(
                    QueryConfig.listeningOn("127.0.0.1", 0),
                    new MirroredCluster(2, 100),
                    new OneNode(),
                    new HttpBarrierSource(connectors, Duration.ofSeconds(3)));
    private HttpClientForTests client;

    @BeforeEach
    void start() {
        node.start();
        client = new HttpClientForTests(node.url());
    }

    @AfterEach
    void end() {
        client.close();
        node.close();
        connectors.close();
    }

    @Test
    void isNotReadyWhileAFullDiskPausesReplicas() throws Exception {
        assertThat(client.get("/readyz/disk").status()).isEqualTo(200);
        assertThat(client.get("/readyz?verbose").text())
                .contains("[+]disk ok: /state: 524288000 of 1048576000 bytes free\n");

        disk = new DiskState("/state", 0, 1_000 << 20, List.of(1), "cannot flush");

        assertThat(client.get("/readyz").status()).isEqualTo(503);
        assertThat(client.get("/readyz").text())
                .contains(
                        "[-]disk failed: state folder /state: 0 of 1048576000 bytes free, no space"
                                + " left on device; 1 replicas stalled at their watermark:"
                                + " partitions [1]");
        assertThat(client.get("/livez").status()).isEqualTo(200);
        assertThat(client.get("/readyz/disk").status()).isEqualTo(503);

        disk = new DiskState("/state", 500 << 20, 1_000 << 20, List.of(), "");

        assertThat(client.get("/readyz/disk").status()).isEqualTo(200);
    }

    @Test
    void showsTheFreeSpaceAsAMetric() throws Exception {
        assertThat(client.get("/metrics").text())
                .contains("tidemark_disk_free_bytes 5.24288E8")
                .contains("tidemark_disk_full 0.0");
    }

    private final class OneNode implements ClusterNodes {
        @Override
        public DiskState disk() {
            return disk;
        }

        @Override
        public NodeStatus self(String url, int watches) {
            return new NodeStatus(url, url, "RUNNING", "", watches, 0, List.of());
        }

        @Override
        public Map<String, Optional<byte[]>> others() {
            return Map.of();
        }
    }
}
