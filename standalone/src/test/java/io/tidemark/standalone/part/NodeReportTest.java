package io.tidemark.standalone.part;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.address.HttpAddress;
import io.tidemark.nodeauth.NodeClient;
import io.tidemark.nodeauth.PeerSecrets;
import io.tidemark.peer.PeerSettings;
import io.tidemark.query.cluster.NodeStatus;
import io.tidemark.streams.StreamsNode;
import io.tidemark.streams.StreamsSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeReportTest {
    @TempDir private Path folder;

    private final NodeClient node = new NodeClient(PeerSecrets.random());

    @AfterEach
    void close() {
        node.close();
    }

    private NodeStatus report(String url, String peerHost) {
        Optional<PeerSettings> peers =
                peerHost.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                new PeerSettings(
                                        new HttpAddress("http", "0.0.0.0", 8180),
                                        new HttpAddress("http", peerHost, 8180),
                                        PeerSecrets.random()));
        StreamsSettings settings = StreamsSettings.of("127.0.0.1:1", folder.resolve("state"));
        return new NodeReport(new StreamsNode(settings), peers, node).self(url, 2);
    }

    @Test
    void reportsANodeWithoutPartitions() throws Exception {
        NodeStatus status = report("http://127.0.0.1:8080", "");
        assertThat(status.node()).isEqualTo("http://127.0.0.1:8080");
        assertThat(status.phase()).isEqualTo("NEW");
        assertThat(status.watches()).isEqualTo(2);
        assertThat(status.copies()).isEmpty();
    }

    @Test
    void hasNoOthersWithoutPeers() throws Exception {
        StreamsSettings settings = StreamsSettings.of("127.0.0.1:1", folder.resolve("state"));
        assertThat(new NodeReport(new StreamsNode(settings), Optional.empty(), node).others())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "http://0.0.0.0:8080, n1, http://n1:8080",
        "http://:::8080, n1, http://n1:8080",
        "http://[::]:8080, fd00::1, http://[fd00::1]:8080",
        "http://127.0.0.1:8080, n1, http://127.0.0.1:8080",
        "http://0.0.0.0:8080, '', http://0.0.0.0:8080"
    })
    void replacesAWildcardAddress(String url, String host, String shown) {
        NodeStatus status = report(url, host);
        assertThat(status.url()).isEqualTo(shown);
        assertThat(status.node())
                .isEqualTo(host.isEmpty() ? url : new HttpAddress("http", host, 8180).hostPort());
    }
}
