package io.tidemark.connector.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.etcd.connection.EtcdException;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.etcd.EtcdBinary;
import io.tidemark.local.etcd.EtcdProcess;
import io.tidemark.local.etcd.EtcdSettings;
import io.tidemark.record.Bytes;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdClientSourceIT {
    private static final Bytes PREFIX = Bytes.utf8("/k/");

    @TempDir Path folder;

    @Test
    void listsOnlyTheViewedCluster() throws Exception {
        EtcdBinary binary = EtcdBinary.find();
        int port = freePort();
        try (EtcdProcess first =
                EtcdProcess.start(binary, EtcdSettings.forTests(folder.resolve("first")))) {
            String second = "http://127.0.0.1:" + port;
            try (EtcdClientSource source =
                    new EtcdClientSource(EtcdOptions.of(first.endpoint(), second), PREFIX)) {
                EtcdView viewed = source.view();
                assertThat(source.list(PREFIX, viewed.revision(), 10).keyValues()).isEmpty();
                long ours = viewed.clusterId();
                Process other = another(binary, second);
                try {
                    first.kill();
                    await().until(() -> clusterOf(source).orElse(ours) != ours);
                    assertThatThrownBy(() -> source.list(PREFIX, 0, 10))
                            .isInstanceOfSatisfying(
                                    EtcdException.class,
                                    failed ->
                                            assertThat(failed.kind())
                                                    .isEqualTo(EtcdException.Kind.OTHER_CLUSTER))
                            .hasMessageContaining("but the list is of cluster");
                    assertThat(source.view().clusterId()).isNotEqualTo(ours);
                    assertThat(source.list(PREFIX, 0, 10).keyValues()).isEmpty();
                } finally {
                    other.destroyForcibly();
                    assertThat(other.waitFor(3, TimeUnit.MINUTES)).isTrue();
                }
            }
        }
    }

    /** Empty while no member answers. */
    private static OptionalLong clusterOf(EtcdClientSource source) {
        try {
            return OptionalLong.of(source.newest().clusterId());
        } catch (EtcdException _) {
            return OptionalLong.empty();
        }
    }

    /** An etcd with another token, so another cluster. */
    private Process another(EtcdBinary binary, String endpoint) throws Exception {
        return new ProcessBuilder(
                        binary.etcd().toString(),
                        "--data-dir=" + folder.resolve("second"),
                        "--listen-client-urls=" + endpoint,
                        "--advertise-client-urls=" + endpoint,
                        "--listen-peer-urls=http://127.0.0.1:0",
                        "--initial-cluster-token=another")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("second.log").toFile())
                .start();
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
