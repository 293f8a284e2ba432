package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.testing.HttpClientForTests.Answer;
import io.tidemark.serving.testing.MirroredCluster;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // The tests mostly wait.
class HealthHttpTest {
    @Test
    void reportsTheStatusOfEachPartition() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
            assertThat(fixture.client.get("/readyz").text()).isEqualTo("ok");
            assertThat(fixture.client.get("/livez").text()).isEqualTo("ok");
            assertThat(fixture.client.get("/healthz").text()).isEqualTo("ok");
            cluster.holdBack(1, true);
            cluster.elsewhere(5);
            assertThat(fixture.client.get("/readyz?verbose").text())
                    .contains("[+]partition-0 ok: epoch 1, watermark 105, lag 0, floor 100, age ")
                    .contains("[+]partition-1 ok: epoch 1, watermark 100, lag 5, floor 100, age ")
                    .endsWith("readyz check passed\n");
        }
    }

    @Test
    void servesAndExcludesSingleChecks() throws Exception {
        try (QueryNodeFixture fixture = new QueryNodeFixture(MirroredCluster.notListedYet(2))) {
            for (String good : new String[] {"/livez/ping", "/healthz/ping", "/readyz/shutdown"}) {
                assertThat(fixture.client.get(good).text()).isEqualTo("ok");
            }
            assertThat(fixture.client.get("/readyz/partition-0").status()).isEqualTo(503);
            assertThat(fixture.client.get("/readyz/nope").status()).isEqualTo(404);
            assertThat(fixture.client.get("/livez/shutdown").status()).isEqualTo(404);
            Answer passed =
                    fixture.client.get(
                            "/readyz?verbose&exclude=partition-0&exclude=partition-1&exclude=x%3C");
            assertThat(passed.status()).isEqualTo(200);
            assertThat(passed.text())
                    .startsWith("[+]ping ok\n")
                    .contains("[+]partition-1 excluded: ok\n")
                    .endsWith(
                            "warn: some health checks cannot be excluded: no matches for \"x<\"\n"
                                    + "readyz check passed\n");
            assertThat(passed.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        }
    }

    @Test
    void isNotReadyBeforeTheFirstListAndRefusesReads() throws Exception {
        try (QueryNodeFixture fixture =
                new QueryNodeFixture(
                        MirroredCluster.notListedYet(2),
                        c ->
                                c.withTimes(
                                        c.times()
                                                .withStartupHold(Duration.ofMillis(100))
                                                .withFreshness(Duration.ofMillis(300))))) {
            Answer ready = fixture.client.get("/readyz");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text()).contains("[-]partition-0 failed");
            Answer list = fixture.client.get("/api/v1/pods");
            assertThat(list.status()).isIn(429, 503);
            assertThat(list.header("Retry-After")).isEqualTo("1");
            assertThat(fixture.client.get("/api/v1/pods?watch=1").status()).isIn(429, 503);
            assertThat(fixture.client.get("/livez").status()).isEqualTo(200);
        }
    }

    @Test
    void reportsWhetherConsistentReadsSucceed() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        try (QueryNodeFixture fixture = QueryNodeFixture.lookingAtNow(cluster)) {
            awaitText(fixture, "/readyz?verbose", "[+]reads-of-now last answered 0.");
            cluster.loseEtcd(true);
            awaitText(fixture, "/readyz?verbose", "[!]reads-of-now no answer for ");
            // A request of before may have ended at its time limit, without etcd's answer.
            awaitText(fixture, "/readyz?verbose", "etcd is away");
            assertThat(fixture.client.get("/readyz?verbose").text()).doesNotContain("one");
            assertThat(fixture.client.get("/readyz").text()).isEqualTo("ok");
            assertThat(fixture.client.get("/metrics").text())
                    .contains("tidemark_reads_of_now_age_seconds ")
                    .contains("tidemark_reads_of_now_failures_total ")
                    .doesNotContain("tidemark_reads_of_now_failures_total 0.0");
            cluster.loseEtcd(false);
            awaitText(fixture, "/readyz?verbose", "[+]reads-of-now last answered 0.");
            cluster.holdBack(1, true);
            cluster.elsewhere(5);
            awaitText(fixture, "/readyz?verbose", "[!]reads-of-now no answer for ");
        }
    }

    private static void awaitText(QueryNodeFixture fixture, String path, String text) {
        await().until(() -> fixture.client.get(path).text().contains(text));
    }

    @Test
    void countsRequests() throws Exception {
        MirroredCluster cluster = new MirroredCluster(2, 100);
        cluster.pod("a", "one", Map.of());
        try (QueryNodeFixture fixture = new QueryNodeFixture(cluster)) {
            fixture.client.get("/api/v1/pods");
            fixture.client.get("/api/v1/namespaces/a/pods/none");
            fixture.client.get("/api/v1/pods?watch=1&timeoutSeconds=1");
            // A watch ends a moment after its response.
            awaitText(fixture, "/metrics", "apiserver_registered_watchers 0.0");
            String metrics = fixture.client.get("/metrics").text();
            assertThat(metrics)
                    .contains(
                            "apiserver_request_total{code=\"200\",resource=\"pods\",verb=\"LIST\"}")
                    .contains(
                            "apiserver_request_total{code=\"404\",resource=\"pods\",verb=\"GET\"}")
                    .contains("apiserver_watch_events_total{resource=\"pods\"} 1.0")
                    .contains("apiserver_watch_cache_resource_version{partition=\"1\"} 101.0")
                    .contains("apiserver_watch_cache_read_wait_seconds_bucket")
                    .contains("tidemark_partition_floor{partition=\"0\"} 100.0");
        }
    }

    @Test
    void servesDiscovery() throws Exception {
        try (QueryNodeFixture fixture = new QueryNodeFixture(new MirroredCluster(2, 100))) {
            assertThat(fixture.client.get("/api").json().path("kind").asText())
                    .isEqualTo("APIVersions");
            assertThat(fixture.client.get("/apis/apps/v1").json().path("kind").asText())
                    .isEqualTo("APIResourceList");
            assertThat(fixture.client.get("/version").json().path("gitVersion").asText())
                    .isEqualTo("v1.36.0");
        }
    }
}
