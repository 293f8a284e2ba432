package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.ConnectionLimits;
import io.tidemark.http.testing.RawHttp;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Watch;
import io.tidemark.query.testing.RawSocket;
import io.tidemark.serving.testing.MirroredCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client that opens idle connections. */
class ConnectionsHttpTest {
    private static final String WATCH = "/api/v1/pods?watch=1&resourceVersion=100";

    @Test
    void evictsIdleConnectionsBeforeActiveOnes() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        List<RawHttp> idle = new ArrayList<>();
        try (QueryNodeFixture fixture =
                        new QueryNodeFixture(
                                cluster, c -> c.withConnections(ConnectionLimits.of(30, 20)));
                Watch watch = fixture.client.watch(WATCH);
                RawSocket socket =
                        new RawSocket(fixture.url, "localhost", WATCH, RawSocket.handshake())) {
            assertThat(socket.head()).startsWith("HTTP/1.1 101 ");
            for (int i = 0; i < 60; i++) {
                idle.add(RawHttp.connect(fixture.url));
            }

            assertThat(fixture.client.get("/api/v1/pods").status()).isEqualTo(200);
            cluster.pod("a", "one", Map.of());
            assertThat(Watch.shown(watch.next())).isEqualTo("ADDED one@101");
            assertThat(socket.frame().payload()).contains("\"one\"");
            await().until(() -> fixture.client.metric("tidemark_http_connections") == 20);
            assertThat(fixture.client.metric("tidemark_http_connections_evicted_total"))
                    .isBetween(40.0, 80.0);
            assertThat(fixture.client.metric("tidemark_http_connections_refused_total")).isZero();
            assertThat(fixture.client.metric("process_files_open_files")).isGreaterThan(20);
            assertThat(fixture.client.metric("process_files_max_files")).isGreaterThan(20);
        } finally {
            for (RawHttp each : idle) {
                each.close();
            }
        }
    }
}
